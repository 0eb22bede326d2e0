// Dragging a piece with a mouse or a finger.

/** The distance in pixels after which a press is a drag. */
const DRAG_PX = 5;

/**
 * What a drag needs from the board.
 * @typedef {object} DragTarget
 * @property {HTMLElement} node
 * @property {(node: EventTarget | null) => string | null} at the square or pocket piece that a node belongs to
 * @property {(at: string) => boolean} canDrag
 * @property {(at: string) => { ghost: SVGElement, size: number }} start chooses the piece, and makes the image that follows the pointer
 * @property {(at: string | null) => void} hover
 * @property {(from: string, to: string | null) => void} drop
 */

export class Drag {
  /** Whether the last press became a drag; the click that follows it is not meant as one. */
  dragged = false;
  /** @type {{ at: string, x: number, y: number } | null} */
  #held = null;
  /** @type {{ ghost: SVGElement, size: number } | null} */
  #image = null;
  #target;

  /** @param {DragTarget} target */
  constructor(target) {
    this.#target = target;
    target.node.addEventListener("pointerdown", (event) => this.#press(event));
    target.node.addEventListener("pointermove", (event) => this.#pull(event));
    target.node.addEventListener("pointerup", (event) => this.#release(event, true));
    target.node.addEventListener("pointercancel", (event) => this.#release(event, false));
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.dragged = false;
    const at = this.#target.at(event.target);
    if (!at || event.button !== 0 || !event.isPrimary || !this.#target.canDrag(at)) return;
    this.#held = { at, x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  #pull(event) {
    if (!this.#held || !event.isPrimary) return;
    if (!this.#image) {
      if (Math.hypot(event.clientX - this.#held.x, event.clientY - this.#held.y) < DRAG_PX) return;
      this.#target.node.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.#image = this.#target.start(this.#held.at);
      document.body.append(this.#image.ghost);
      this.#target.node.setAttribute("data-dragging", "true");
    }
    const half = this.#image.size / 2;
    this.#image.ghost.style.setProperty("transform", `translate(${event.clientX - half}px, ${event.clientY - half}px)`);
    this.#target.hover(this.#under(event));
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} isDrop
   */
  #release(event, isDrop) {
    if (!this.#held || !event.isPrimary) return;
    const { at } = this.#held;
    const image = this.#image;
    this.#held = this.#image = null;
    this.#target.hover(null);
    if (!image) return;
    image.ghost.remove();
    this.#target.node.removeAttribute("data-dragging");
    this.#target.drop(at, isDrop ? this.#under(event) : null);
    // The click of this release, if there is one, comes before the timeout.
    setTimeout(() => (this.dragged = false));
  }

  /** @param {PointerEvent} event */
  #under(event) {
    return this.#target.at(document.elementFromPoint(event.clientX, event.clientY));
  }
}
