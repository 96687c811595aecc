// Puts the remembered theme on the page before it is drawn. The switch in the sidebar remembers it.
try {
  const theme = localStorage.getItem("countersign-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // a browser that forbids storage shows the system's theme
}
