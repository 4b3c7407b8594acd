// Runs before the first paint, so that the stored theme does not flash.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stored = localStorage.getItem('plant4j.theme');
  if (stored) root.dataset.theme = stored;

  /** Switches the theme. Choosing the system's theme removes the setting, so that the page follows the system again. */
  window.toggleTheme = () => {
    const system = dark.matches ? 'dark' : 'light';
    const next = (root.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
    if (next === system) {
      delete root.dataset.theme;
      localStorage.removeItem('plant4j.theme');
    } else {
      root.dataset.theme = next;
      localStorage.setItem('plant4j.theme', next);
    }
    return next;
  };
})();
