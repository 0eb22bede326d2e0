// A link as a QR code, for phones: bytes, with the lowest level of correction, in the five smallest sizes, which have one block of data.

/** How many bytes of data and of correction each size has. */
const SIZES = [[19, 7], [34, 10], [55, 15], [80, 20], [108, 26]];
/** What says that the level is the lowest, and that every second field is inverted. */
const FORMAT = 0b111011111000100;

/**
 * The fields of a code, row by row: whether they are dark. Null for a text that is too long.
 * @param {string} text
 * @returns {boolean[][] | null}
 */
export function qr(text) {
  const bytes = new TextEncoder().encode(text);
  const version = SIZES.findIndex(([most]) => bytes.length + 2 <= most) + 1;
  if (version === 0) return null;
  const [most, corrections] = SIZES[version - 1];
  const wide = 17 + 4 * version;
  /** @type {boolean[][]} */
  const fields = Array.from({ length: wide }, () => []);
  /** Squares in squares, around a middle. @type {(y: number, x: number, reach: number, light: number[]) => void} */
  const eye = (y, x, reach, light) => {
    for (let down = -reach; down <= reach; down += 1) {
      for (let right = -reach; right <= reach; right += 1) {
        if (fields[y + down] && x + right >= 0 && x + right < wide) fields[y + down][x + right] = !light.includes(Math.max(Math.abs(down), Math.abs(right)));
      }
    }
  };
  for (const [y, x] of [[3, 3], [3, wide - 4], [wide - 4, 3]]) eye(y, x, 4, [2, 4]);
  if (version > 1) eye(wide - 7, wide - 7, 2, [1]);
  for (let at = 8; at < wide - 8; at += 1) fields[6][at] = fields[at][6] = at % 2 === 0;
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((FORMAT >> bit) & 1) === 1;
    // Around the first corner, and once more beside the other two.
    fields[bit < 6 ? bit : bit < 8 ? bit + 1 : 8][bit < 8 ? 8 : bit === 8 ? 7 : 14 - bit] = isDark;
    fields[bit < 8 ? 8 : wide - 15 + bit][bit < 8 ? wide - 1 - bit : 8] = isDark;
  }
  fields[wide - 8][8] = true;

  const data = filled(bytes, most);
  const all = [...data, ...correction(data, corrections)];
  let bit = 0;
  // From the right, two columns at a time, up and down in turn. The column of the ruler is left out.
  for (let right = wide - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < 2 * wide; step += 1) {
      const x = right - (step % 2);
      const y = ((right + (right < 6 ? 1 : 0)) & 2) === ((wide - 1) & 2) ? wide - 1 - (step >> 1) : step >> 1;
      if (fields[y][x] !== undefined) continue;
      const isSet = ((all[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1;
      fields[y][x] = (isSet === 1) !== ((x + y) % 2 === 0);
      bit += 1;
    }
  }
  return fields;
}

/**
 * The kind and length of the data, the data, and what fills the rest.
 * @param {Uint8Array} bytes
 * @param {number} most
 */
function filled(bytes, most) {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15, ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]), 0];
  const data = Array.from({ length: nibbles.length >> 1 }, (_, at) => (nibbles[2 * at] << 4) | nibbles[2 * at + 1]);
  for (let pad = 0xec; data.length < most; pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/**
 * The Reed-Solomon code of the data.
 * @param {number[]} data
 * @param {number} length
 */
function correction(data, length) {
  /** Multiplies in the field of 256 elements. @type {(a: number, b: number) => number} */
  const times = (a, b) => {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
    return product;
  };
  /** The product of x - 2^i, from the highest power, without the leading 1. */
  const divisor = Array(length).fill(0);
  divisor[length - 1] = 1;
  let root = 1;
  for (let power = 0; power < length; power += 1) {
    for (let at = 0; at < length; at += 1) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
    root = times(root, 2);
  }
  const rest = Array(length).fill(0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((part, at) => (rest[at] ^= times(part, factor)));
  }
  return rest;
}
