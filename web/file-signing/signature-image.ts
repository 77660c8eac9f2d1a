import type { VisibleSignature } from '../../pki/pades/pades-sign.ts'

/** In points on the page; the image has `density` pixels for each. */
const size = { width: 200, height: 64 }
const density = 4
const edge = 6

/**
 * What a visible signature shows (SGN-24), drawn with the fonts of the device, so that every letter of a name is there. Lines that are
 * too long get smaller letters.
 */
export async function drawSignature(
  lines: readonly string[],
): Promise<Pick<VisibleSignature, 'size' | 'image' | 'text'>> {
  const [width, height] = [size.width * density, size.height * density]
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser draws no images.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, width, height)
  context.strokeStyle = '#000'
  context.lineWidth = density / 2
  context.strokeRect(density, density, width - 2 * density, height - 2 * density)
  context.fillStyle = '#000'
  context.textBaseline = 'middle'
  const room = width - 2 * edge * density
  const step = (height - 2 * edge * density) / Math.max(3, lines.length)
  lines.forEach((line, index) => {
    const fontOf = (pixels: number) => `${index === 0 ? 'bold ' : ''}${pixels}px system-ui, sans-serif`
    const usual = Math.round(step * 0.72)
    context.font = fontOf(usual)
    const needed = context.measureText(line).width
    context.font = fontOf(Math.floor(usual * Math.min(1, room / Math.max(1, needed))))
    context.fillText(line, edge * density, edge * density + step * (index + 0.5), room)
  })
  const { data } = context.getImageData(0, 0, width, height)
  // Grey is the same in all three colours.
  const grey = Uint8Array.from({ length: width * height }, (_, pixel) => data[pixel * 4]!)
  return { size, image: { width, height, data: await compressed(grey) }, text: lines.join(', ') }
}

async function compressed(bytes: Uint8Array<ArrayBuffer>) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
