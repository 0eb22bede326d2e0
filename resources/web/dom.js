// Builds and finds nodes. Data only ever becomes text: nothing here parses markup.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * The element with this id, of this class. Throws where the page has none.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function byId(id, kind) {
  return ofKind(document.getElementById(id), `#${id}`, kind);
}

/**
 * The first element within `root` that fits the selector, of this class. Throws where there is none.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {ParentNode} root
 * @param {string} css
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function find(root, css, kind) {
  return ofKind(root.querySelector(css), css, kind);
}

/**
 * A control of a form by its name. Throws where the form has none.
 * @template {HTMLElement} [T=HTMLInputElement]
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {new () => T} [kind]
 * @returns {T}
 */
export function field(form, name, kind) {
  return ofKind(form.elements.namedItem(name), `[name=${name}]`, kind);
}

/**
 * @template {HTMLElement} T
 * @param {unknown} found
 * @param {string} css
 * @param {new () => T} [kind]
 * @returns {T}
 */
function ofKind(found, css, kind) {
  if (found instanceof (kind ?? HTMLElement)) return /** @type {T} */ (found);
  throw new Error(`the page has no ${kind?.name ?? "HTMLElement"} ${css}`);
}

/**
 * The nearest element at or around the origin of an event that fits the selector.
 * @param {Event} event
 * @param {string} css
 * @returns {HTMLElement | null}
 */
export function closest(event, css) {
  return event.target instanceof Element ? event.target.closest(css) : null;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * A button that does something.
 * @param {Attributes} attributes
 * @param {(event: MouseEvent) => void} run
 * @param {(Node | string)[]} children
 */
export function button(attributes, run, ...children) {
  const node = make("button", { type: "button", ...attributes }, ...children);
  node.addEventListener("click", run);
  return node;
}

/**
 * What a click on an element of the page does, by the id of the element.
 * @param {string} id
 * @param {(event: MouseEvent) => void} run
 */
export function onClick(id, run) {
  byId(id).addEventListener("click", run);
}

/**
 * Shows what went wrong at the top of the page; null shows nothing.
 * @param {string | null} words
 * @param {Node[]} more
 */
export function complain(words, ...more) {
  const message = byId("message");
  message.hidden = words === null;
  message.replaceChildren(words ?? "", ...more.flatMap((node) => [" ", node]));
}

/**
 * Copies a text. False if the browser gives no access to the clipboard, as over plain HTTP.
 * @param {string} text
 */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string)[]} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Adds a stylesheet to the page; resolves once it is loaded or has failed.
 * @param {URL} address
 * @returns {Promise<void>}
 */
export function stylesheet(address) {
  return new Promise((ready) => {
    const link = make("link", { rel: "stylesheet", href: address.href });
    link.onload = link.onerror = () => ready();
    document.head.append(link);
  });
}

/**
 * Adds the shapes of a file to the page, for drawings that use them by their ids.
 * @param {URL} address
 */
export async function shapes(address) {
  const file = await fetch(address);
  const { documentElement } = new DOMParser().parseFromString(await file.text(), "image/svg+xml");
  document.body.append(document.importNode(documentElement, true));
}

/**
 * A text that a player wrote, isolated so that its direction and length cannot disturb its surroundings.
 * @param {unknown} text
 */
export function called(text, most = 60) {
  return name(make("bdi", { class: "name" }), text, most);
}

/**
 * Writes a shortened text into a node; the title of the node has the rest.
 * @template {HTMLElement} T
 * @param {T} node
 * @param {unknown} text
 * @returns {T}
 */
export function name(node, text, most = 60) {
  const whole = String(text);
  say(node, cut(whole, most));
  if (whole.length > most) node.title = cut(whole, 600);
  else node.removeAttribute("title");
  return node;
}

/**
 * The text, with at most `most` UTF-16 units.
 * @param {string} text
 * @param {number} most
 */
export function cut(text, most) {
  if (text.length <= most) return text;
  // Do not end with half of a surrogate pair.
  return text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "") + "…";
}

/**
 * The text with a capital letter at its start.
 * @param {string} text
 */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * `1 card`, `2 cards`.
 * @param {number} count
 * @param {string} one
 */
export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Sets the text of a node if it changes: writing the same text again would still cost a layout.
 * @param {Node} node
 * @param {unknown} text
 */
export function say(node, text) {
  const now = String(text);
  if (/** @type {Text | null} */ (node.firstChild)?.data !== now) node.textContent = now;
}

/**
 * Sets or removes an attribute, if that changes something.
 * @param {Element} node
 * @param {string} attribute
 * @param {boolean} on
 */
export function toggle(node, attribute, on, value = "true") {
  if (on) {
    if (node.getAttribute(attribute) !== value) node.setAttribute(attribute, value);
  } else if (node.hasAttribute(attribute)) {
    node.removeAttribute(attribute);
  }
}

/** @param {number} ms milliseconds since 1970 */
export function date(ms) {
  return new Date(ms).toLocaleString("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
}

/**
 * Names separated by commas, each isolated.
 * @param {string[]} names
 * @returns {(Node | string)[]}
 */
export function list(names, most = 40) {
  return names.flatMap((one, at) => (at === 0 ? [called(one, most)] : [", ", called(one, most)]));
}

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 * @returns {T}
 */
function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children);
  return node;
}

/**
 * Runs a function with the next frame. A hidden page has no frames, so there it runs a little later.
 * @param {() => void} run
 */
export function soon(run) {
  const go = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(go);
  const timer = setTimeout(go, 250);
}
