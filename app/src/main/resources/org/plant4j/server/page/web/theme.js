// Runs before the page is painted, so that the theme chosen last time does not flash.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const stored = localStorage.getItem('desk.theme');
  if (stored) root.dataset.theme = stored;

  /** Goes to the other theme; choosing what the system says anyway follows the system again. */
  window.toggleTheme = () => {
    const system = dark.matches ? 'dark' : 'light';
    const next = (root.dataset.theme ?? system) === 'dark' ? 'light' : 'dark';
    if (next === system) {
      delete root.dataset.theme;
      localStorage.removeItem('desk.theme');
    } else {
      root.dataset.theme = next;
      localStorage.setItem('desk.theme', next);
    }
    return next;
  };
})();
