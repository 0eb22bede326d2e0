// Where the places of a map stand: the colony in the centre, the others around it, clockwise. Pure arithmetic, so that a test can try any
// number of places and any width.

/** @typedef {{ x: number, y: number, scale: number }} Spot */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {boolean} compact whether it is for a narrow page: small tokens without names
 * @property {number} horizon where the sky ends
 * @property {Spot} centre
 * @property {Spot[]} spots of the places around the colony
 */

/** The size of a place at scale 1. */
const CELL = { width: 272, height: 208 };
const SMALL_CELL = { width: 118, height: 140 };
/** Room for the colony on a narrow page. */
const SMALL_CENTRE = 176;
/** Room for the roofs below the head of a page that the map fills. */
const SMALL_TOP = 6;
/** And for the signs above its lower edge. */
const SMALL_FOOT = 12;
const SKY = 64;
/** The width of a sign with a long name. */
const SIGN = 264;
/** What lies over the edges of a map that fills a page: the head, the players, the tabs. */
const FRAME = { left: 214, right: 62, top: 78, bottom: 12 };
/** Below this width, places stand in rows above and below the colony. */
const NARROW = 620;

/**
 * @param {number} count the places around the colony
 * @param {number} width
 * @param {number} [fill] the height of the page that the map fills
 * @returns {Layout}
 */
export function layout(count, width, fill) {
  return width < NARROW ? narrow(count, width, fill) : wide(count, width, fill);
}

/** @type {(count: number, width: number, fill?: number) => Layout} */
function wide(count, width, fill) {
  const { left, right, top: head, bottom: foot } = fill ? FRAME : { left: 0, right: 0, top: SKY, bottom: 0 };
  const inner = width - left - right;
  const side = count > 10 ? 4 : count > 4 ? 2 : 0;
  const top = Math.ceil((count - side) / 2);
  const bottom = count - side - top;
  const rows = side > 2 ? 4 : 3;
  // On a usual screen, all of the map is seen at once.
  const most = fill ? Math.min(1.15, (fill - head - foot) / (rows * CELL.height)) : clamp(0.9, width / 1120, 1.08);
  const scale = clamp(0.62, inner / (Math.max(top, bottom, rows) * CELL.width), Math.max(0.62, most));
  const [cellWidth, cellHeight] = [CELL.width * scale, CELL.height * scale];
  const height = Math.max(fill ?? 0, Math.round(head + rows * cellHeight + foot));
  const centre = { x: left + inner / 2, y: (head + height - foot) / 2, scale: Math.min(1, scale) };
  /** @type {(many: number, y: number) => Spot[]} */
  const row = (many, y) => {
    const wish = many === 2 ? 0.268 : many > 3 ? 0.444 : 0.37;
    const span = Math.min((inner - cellWidth) / 2, inner * wish);
    return Array.from({ length: many }, (_, at) => ({ x: centre.x + (many === 1 ? 0 : (at / (many - 1)) * 2 - 1) * span, y, scale }));
  };
  /** @type {(x: number) => Spot[]} */
  const column = (x) => Array.from({ length: side / 2 }, (_, at) => ({ x, y: centre.y + (at - (side / 2 - 1) / 2) * cellHeight * 1.05, scale }));
  // A sign with a long name needs more room than a small house.
  const edge = Math.max(cellWidth / 2, SIGN / 2);
  const spots = [...row(top, head + cellHeight / 2), ...column(width - right - edge), ...row(bottom, height - foot - cellHeight / 2).reverse(), ...column(left + edge).reverse()];
  return { width, height, compact: false, horizon: head, centre, spots };
}

/** @type {(count: number, width: number, fill?: number) => Layout} */
function narrow(count, width, fill) {
  const columns = Math.max(1, Math.floor(width / SMALL_CELL.width));
  const top = Math.ceil(count / 2);
  const lines = Math.ceil(top / columns) + Math.ceil((count - top) / columns);
  // A page that is a little too low moves them together; below that, the map scrolls.
  const squeeze = fill ? clamp(0.78, (fill - SMALL_TOP - SMALL_FOOT) / (lines * SMALL_CELL.height + SMALL_CENTRE), 1.2) : 1;
  const [cellHeight, middle] = [SMALL_CELL.height * squeeze, SMALL_CENTRE * squeeze];
  /** @type {(many: number, from: number) => Spot[]} */
  const rows = (many, from) =>
    Array.from({ length: many }, (_, at) => {
      const line = Math.floor(at / columns);
      const inLine = Math.min(columns, many - line * columns);
      return { x: (((at % columns) + 0.5) / inLine) * width, y: from + (line + 0.5) * cellHeight, scale: 1 };
    });
  // A map that is lower than the page stands in its middle.
  const sky = fill ? Math.max(SMALL_TOP, (fill - SMALL_FOOT - lines * cellHeight - middle) / 2) : 0;
  const above = sky + Math.ceil(top / columns) * cellHeight;
  const centre = { x: width / 2, y: above + middle / 2, scale: 1 };
  const spots = [...rows(top, sky), ...rows(count - top, above + middle)];
  return { width, height: Math.max(fill ?? 0, Math.round(sky + lines * cellHeight + middle)), compact: true, horizon: 0, centre, spots };
}

/** @type {(least: number, value: number, most: number) => number} */
const clamp = (least, value, most) => Math.max(least, Math.min(most, value));

/**
 * Where survivors stand in a place, relative to its spot.
 * @param {number} many
 * @param {boolean} isHome
 * @param {boolean} compact
 * @returns {{ x: number, y: number }[]}
 */
export function standing(many, isHome, compact) {
  const most = isHome ? (many > 10 ? 6 : 5) : compact ? 2 : 4;
  const [stepX, stepY] = compact ? [isHome && many > 10 ? 38 : 44, 40] : isHome ? [many > 10 ? 56 : 64, many > 12 ? 40 : 58] : [64, 40];
  const lines = Math.ceil(many / most);
  const firstY = isHome ? (compact ? 6 : 34) - ((lines - 1) * stepY) / 2 : compact ? -8 : -18 - ((lines - 1) * stepY) / 2;
  return Array.from({ length: many }, (_, at) => {
    const line = Math.floor(at / most);
    const inLine = Math.min(most, many - line * most);
    return { x: ((at % most) - (inLine - 1) / 2) * stepX, y: firstY + line * stepY };
  });
}

/**
 * Where the entrances of a place are, relative to its spot: in front of a house, or around the palisade of the colony.
 * @param {number} many
 * @param {boolean} isHome
 * @param {boolean} compact
 * @returns {{ x: number, y: number, angle: number }[]}
 */
export function gates(many, isHome, compact) {
  if (!isHome) {
    const step = compact ? Math.min(44, 128 / many) : Math.min(112, 282 / many);
    return Array.from({ length: many }, (_, at) => {
      const bend = many > 2 ? Math.abs((at / (many - 1)) * 2 - 1) * 12 : 0;
      return { x: (at - (many - 1) / 2) * step, y: (compact ? 36 : 64) - bend, angle: 90 };
    });
  }
  const [rx, ry] = compact ? [146, 64] : [262, 122];
  return Array.from({ length: many }, (_, at) => {
    const isLeft = at % 2 === 0;
    const here = isLeft ? Math.ceil(many / 2) : Math.floor(many / 2);
    const share = here > 1 ? Math.floor(at / 2) / (here - 1) : 0.5;
    const right = -24 + share * 78;
    const angle = isLeft ? 180 - right : right;
    const turn = (angle * Math.PI) / 180;
    return { x: Math.cos(turn) * rx, y: Math.sin(turn) * ry + (compact ? 6 : 12), angle };
  });
}
