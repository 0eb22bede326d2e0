// A classic script in the head: the remembered theme must be there before the first paint.
(() => {
  const root = document.documentElement;
  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const dark = () => root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const put = (theme) => {
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  };

  put(remembered());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => {
      button.textContent = dark() ? "☀" : "☾";
      button.setAttribute("aria-label", dark() ? "Use light colours" : "Use dark colours");
      button.title = button.getAttribute("aria-label");
    };
    button.addEventListener("click", () => {
      put(dark() ? "light" : "dark");
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {
        // Storage may be forbidden; the theme then lasts as long as the page.
      }
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  });
})();
