// Tables as CSV.

/** Quotes what needs it. A spreadsheet would run a cell that starts like a formula, so such a cell gets an apostrophe. */
function cell(value) {
  const text = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? "'" + value : value;
  return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

/** `rows`: arrays of texts, the titles first. */
export const csv = (rows) => rows.map((row) => row.map(cell).join(',')).join('\n') + '\n';
