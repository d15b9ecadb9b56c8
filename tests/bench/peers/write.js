// write.js - a result table as CSV under a line with its name. No value of these tables holds a comma or a quote.
'use strict';
exports.write = (name, columns, rows) => {
  const text = (v) => (v === null || v === undefined ? '' : String(v));
  process.stdout.write(`# ${name}\n${columns.join(',')}\n${rows.map((r) => r.map(text).join(',') + '\n').join('')}`);
};
