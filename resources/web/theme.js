// A classic script in the head: the remembered theme must apply before the first paint.
(() => {
  const root = document.documentElement;
  const remembered = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const isDark = () => root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  /** @param {string | null} theme */
  const apply = (theme) => {
    if (theme === "dark" || theme === "light") root.dataset.theme = theme;
  };

  apply(remembered());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    if (!button) throw new Error("the page has no button #theme");
    const label = () => {
      button.textContent = isDark() ? "☀" : "☾";
      button.title = isDark() ? "Use light colours" : "Use dark colours";
      button.setAttribute("aria-label", button.title);
    };
    button.addEventListener("click", () => {
      const theme = isDark() ? "light" : "dark";
      apply(theme);
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Without storage, the theme lasts as long as the page.
      }
      label();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
    label();
  });
})();
