/** A PDF with one line of text on each page; a page of "" has none. */
export function makePdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, index) => toPage(text, 5 + index * 2)),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${count}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}

function toPage(text: string, contents: number): string[] {
  const stream = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
  const font = "/Resources << /Font << /F1 3 0 R >> >>";
  return [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Contents ${contents} 0 R >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ];
}
