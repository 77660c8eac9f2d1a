/** The iris colours of the portal, lightened, so that the band stays in the background. */
const iris = ['#a9cfce', '#b4c6df', '#c9bedc']

const strands = 9
const wave = 46
const halfWave = wave / 2
/** The position of a cubic curve's handles that approximates half a sine best. */
const handle = 0.3642

/** Draws a security print across the page: strands of waves, each slightly shifted. */
export function guillocheBand(
  pdf: PDFKit.PDFDocument,
  area: { x: number; y: number; width: number; height: number },
  colours: readonly string[] = iris,
) {
  const { x, y, width, height } = area
  const middle = y + height / 2
  pdf.save().rect(x, y, width, height).clip().lineWidth(0.45)
  for (let strand = 0; strand < strands; strand++) {
    const depth = (height / 2) * (0.45 + (0.55 * strand) / (strands - 1))
    let left = x - wave + (wave * strand) / strands
    let up = -depth
    pdf.moveTo(left, middle)
    for (; left < x + width; left += halfWave, up = -up) {
      const right = left + halfWave
      pdf.bezierCurveTo(
        left + halfWave * handle,
        middle + up * 1.33,
        right - halfWave * handle,
        middle + up * 1.33,
        right,
        middle,
      )
    }
    pdf.stroke(colours[strand % colours.length])
  }
  pdf.restore()
}
