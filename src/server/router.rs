//! Every route in one place, layers in order.

use super::hub::Hub;
use super::{
    assets, attachment_route, auth, conversation_export, guard, history_export, plain_inbox, stream,
};
use crate::app::{App, shell};
use crate::model::{Code, Refusal};
use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{DefaultBodyLimit, FromRef, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use leptos::config::LeptosOptions;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

#[derive(Clone)]
pub struct Shared {
    pub options: LeptosOptions,
    pub hub: Hub,
    pub sockets: stream::Sockets,
}

impl FromRef<Shared> for LeptosOptions {
    fn from_ref(shared: &Shared) -> Self {
        shared.options.clone()
    }
}

/// The embedded `Leptos.toml`, under `LEPTOS_*`. The site is embedded too, under a path that changes with its content.
pub fn leptos_options() -> LeptosOptions {
    let embedded = include_str!("../../Leptos.toml");
    let mut options = leptos::config::get_config_from_str(embedded)
        .unwrap_or_else(|_| LeptosOptions::builder().output_name("countersign").build());
    if !cfg!(debug_assertions) {
        options.site_pkg_dir = format!("pkg/{}", assets::version()).into();
    }
    options
}

const LONGEST_ERROR: usize = 1024 * 1024;

pub fn routes(shared: Shared) -> Router {
    let pages = generate_route_list(App);
    let context = {
        let hub = shared.hub.clone();
        move || {
            provide_context(hub.clone());
            set_page_policy();
        }
    };
    let limits = &shared.hub.settings().limits;
    let bodies = Bodies {
        with_files: limits.line_bytes,
        others: limits.message_bytes.saturating_mul(2),
    };
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/pkg/{*path}", get(assets::package_file))
        .route("/ws", get(stream::open))
        .route("/history/export", get(history_export::download))
        .route("/export/{file}", get(conversation_export::download))
        .route("/plain", get(plain_inbox::show).post(plain_inbox::answer))
        .route("/attachment/{id}", get(attachment_route::show))
        // the server functions too, under their own paths
        .leptos_routes_with_context(&shared, pages, context.clone(), {
            let options = shared.options.clone();
            move || shell(options.clone())
        })
        .route("/api/{*name}", any(no_such_function))
        .method_not_allowed_fallback(no_such_function)
        .fallback(
            move |State(shared): State<Shared>, request: Request| async move {
                match assets::public_file(request.uri().path(), request.headers()) {
                    Some(file) => file,
                    None => {
                        let options = shared.options.clone();
                        let page = leptos_axum::render_app_async_with_context(context, move || {
                            shell(options.clone())
                        });
                        page(request).await.into_response()
                    }
                }
            },
        )
        .layer(from_fn(fitting_status))
        .layer(from_fn(move |request, next| {
            not_too_large(bodies, request, next)
        }))
        .layer(CompressionLayer::new().compress_when(is_worth_packing()))
        .with_state(shared)
}

/// Pages and answers of calls. The files of the site are packed already; so are pictures and documents.
fn is_worth_packing() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("application/pdf"))
}

/// How long a body may be.
#[derive(Clone, Copy)]
struct Bodies {
    /// A message with files is one line to the agent.
    with_files: usize,
    others: usize,
}

impl Bodies {
    fn limit(self, path: &str) -> usize {
        match path {
            "/api/send_message" | "/api/start_session" => self.with_files,
            _ => self.others,
        }
    }
}

/// Says so before anything is read. A body that does not tell its length is read here, as far as the limit.
async fn not_too_large(bodies: Bodies, mut request: Request, next: Next) -> Response {
    let limit = bodies.limit(request.uri().path());
    DefaultBodyLimit::max(limit).apply(&mut request);
    let too_large = |bytes: &str| {
        auth::refused(&Refusal::new(
            Code::TooLarge,
            format!("The request has {bytes} bytes; at most {limit} are taken."),
        ))
    };
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
    match length {
        Some(length) if length > limit => too_large(&length.to_string()),
        None if !request.body().is_end_stream() => {
            let (parts, body) = request.into_parts();
            match to_bytes(body, limit).await {
                Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
                Err(_) => too_large("too many"),
            }
        }
        _ => next.run(request).await,
    }
}

async fn no_such_function(request: Request) -> Response {
    auth::refused(&Refusal::new(
        Code::NotFound,
        format!(
            "There is no {} {}. Server functions are called by POST with JSON.",
            request.method(),
            request.uri().path()
        ),
    ))
}

/// A server function reports every error as 500; its code knows the status that fits.
async fn fitting_status(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, LONGEST_ERROR).await.unwrap_or_default();
    let refusal = serde_json::from_slice::<Refusal>(&body).ok();
    if let Some(status) =
        refusal.and_then(|refusal| StatusCode::from_u16(refusal.code.status()).ok())
    {
        parts.status = status;
        parts.headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
    }
    Response::from_parts(parts, Body::from(body))
}

/// The policy of a page, with the nonce that leptos puts on its inline scripts.
fn set_page_policy() {
    let (Some(nonce), Some(response)) =
        (leptos::nonce::use_nonce(), use_context::<ResponseOptions>())
    else {
        return;
    };
    if let Ok(policy) = HeaderValue::from_str(&guard::content_security_policy(&nonce)) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
    }
}
