// @ts-check
// The way from a browser to the server, as an HTTP proxy: it can be cut and mended while the server goes on.
const http = require("node:http");
const net = require("node:net");

class Cable {
  constructor() {
    this.isCut = false;
    /** @type {Set<import("node:stream").Duplex>} */
    this.open = new Set();
    this.proxy = http.createServer((request, response) => {
      const { hostname, port, pathname, search } = new URL(String(request.url));
      const onward = http.request({ hostname, port, path: pathname + search, method: request.method, headers: request.headers });
      onward.on("response", (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)));
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
    this.proxy.on("connection", (socket) => this.carry(socket));
    // sockets come this way
    this.proxy.on("connect", (request, browser) => {
      const [host, port] = String(request.url).split(":");
      const server = net.connect(Number(port), host, () => browser.write("HTTP/1.1 200 OK\r\n\r\n"));
      this.carry(server);
      browser.on("error", () => server.destroy());
      browser.on("close", () => server.destroy());
      server.on("close", () => browser.destroy());
      server.pipe(browser).pipe(server);
    });
  }

  /** @param {import("node:stream").Duplex} socket */
  carry(socket) {
    if (this.isCut) socket.destroy();
    this.open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.open.delete(socket));
  }

  /** What a browser context is told. */
  async lay() {
    await new Promise((resolve) => this.proxy.listen(0, "127.0.0.1", () => resolve(undefined)));
    const address = /** @type {net.AddressInfo} */ (this.proxy.address());
    return { server: `http://127.0.0.1:${address.port}`, bypass: "<-loopback>" };
  }

  cut() {
    this.isCut = true;
    for (const socket of this.open) socket.destroy();
  }

  mend() {
    this.isCut = false;
  }

  remove() {
    this.cut();
    this.proxy.close();
  }
}

module.exports = { Cable };
