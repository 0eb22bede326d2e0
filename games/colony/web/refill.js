// Fills a node again when what it shows has changed. The focus stays with the same thing: the element with the same `data-key`.

/** @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * @param {HTMLElement} node
 * @param {unknown} from what the children are made from
 * @param {() => Node[]} fill
 */
export function refill(node, from, fill) {
  const now = JSON.stringify(from);
  if (shown.get(node) === now) return;
  shown.set(node, now);
  const focused = document.activeElement;
  const key = focused instanceof HTMLElement && node.contains(focused) ? focused.dataset.key : undefined;
  node.replaceChildren(...fill());
  if (key === undefined) return;
  /** @type {HTMLElement | null} */
  const same = node.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? node.querySelector("button");
  same?.focus();
}
