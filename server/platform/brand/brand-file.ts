import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type * as z from 'zod/mini'
import { Brand } from '../../../contract/page-config.ts'
import { errorMessage } from '../observability/skipped-causes.ts'
import { coloursOf, contrastFaults } from './theme.ts'

const markBytes = 16_384

/**
 * Reads a provider's own brand; undefined if it cannot be used. Every mistake is reported; a field that only a newer version may know is
 * ignored (OPS-13).
 */
export function readBrandFile(file: string, mistakes: string[], warnings: string[]): Brand | undefined {
  const faults: string[] = []
  const unknown: string[] = []
  const { brand, parts } = parsed(file, faults, unknown)
  warnings.push(...unknown.map((name) => `BRAND_FILE: ${name} is not a field of this version, and is ignored.`))
  // Also while another field is wrong, so that all is reported at once.
  if (parts.colours) faults.push(...contrastFaults(coloursOf(parts)))
  if (parts.hours) faults.push(...hoursFaults(parts.hours))
  const mark = parts.mark && readMark(resolve(dirname(file), parts.mark), faults)
  const icons = parts.icons && readIcons(parts.icons, (path) => resolve(dirname(file), path), faults)
  mistakes.push(...faults.map((fault) => `BRAND_FILE: ${fault}`))
  return brand && !faults.length ? { ...brand, ...(mark && { mark }), ...(icons && { icons }) } : undefined
}

type Parts = Partial<Pick<Brand, 'colours' | 'hours' | 'mark' | 'icons'>>

/** Parses a brand; returns it if every field is valid, and as `parts` those of the fields to be checked further that are valid. */
function parsed(file: string, faults: string[], unknown: string[]): { brand?: Brand; parts: Parts } {
  try {
    const given: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const known = withoutUnknown(given, Brand.safeParse(given).error?.issues ?? [], unknown)
    const result = Brand.safeParse(known)
    if (result.success) return { brand: result.data, parts: result.data }
    faults.push(...result.error.issues.map(faultOf))
    return { parts: partsOf(known) }
  } catch (error) {
    faults.push(`it cannot be read: ${errorMessage(error)}`)
  }
  return { parts: {} }
}

function partsOf(known: unknown): Parts {
  const fields = (known ?? {}) as Record<string, unknown>
  const { colours, hours, mark, icons } = Brand.shape
  return Object.fromEntries(
    Object.entries({ colours, hours, mark, icons }).map(([name, field]) => [name, field.safeParse(fields[name]).data]),
  )
}

/** Removes the fields that the schema does not know, and adds their names to `unknown`. */
function withoutUnknown(given: unknown, issues: readonly z.core.$ZodIssue[], unknown: string[]): unknown {
  const rest = structuredClone(given)
  for (const issue of issues)
    if (issue.code === 'unrecognized_keys') {
      const owner = issue.path.reduce((value, name) => (value as Record<PropertyKey, unknown>)[name], rest)
      for (const key of issue.keys) {
        delete (owner as Record<string, unknown>)[key]
        unknown.push([...issue.path, key].join('.'))
      }
    }
  return rest
}

function faultOf(issue: z.core.$ZodIssue): string {
  const own = /^(?:invalid_format|too_small|too_big)$/.test(issue.code)
  return `${issue.path.join('.') || 'the whole'} ${own ? issue.message : 'is missing, or is not what belongs there'}`
}

function hoursFaults({ from, to }: Brand['hours']): string[] {
  const minutes = (time: string) => Number(time.split(':')[0]) * 60 + Number(time.split(':')[1])
  return minutes(from) < minutes(to) ? [] : ['hours.to is not after hours.from']
}

/**
 * Reads a mark, which must be a plain drawing: pages show it by `<image>`, which runs no script, but a browser that opens its address
 * would. The answer there has a policy that forbids everything, styles included, so they are refused here and not just ignored (R64).
 */
function readMark(file: string, faults: string[]): string | undefined {
  let drawing: string
  try {
    drawing = readFileSync(file, 'utf8').trim()
  } catch (error) {
    faults.push(`mark cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
  if (drawing.length > markBytes) faults.push(`mark is larger than ${markBytes} bytes`)
  if (!drawing.startsWith('<svg') || !drawing.endsWith('</svg>'))
    faults.push('mark is not an SVG that begins with <svg and ends with </svg>')
  for (const [part, pattern] of Object.entries(needed)) if (!pattern.test(drawing)) faults.push(`mark has no ${part}`)
  for (const [part, pattern] of Object.entries(refused))
    if (pattern.test(drawing)) faults.push(`mark must not have ${part}`)
  return drawing
}

type Icons = NonNullable<Brand['icons']>

/** Reads the icons of the portal as an app: PNG files of exactly the stated size. */
function readIcons(paths: Icons, place: (path: string) => string, faults: string[]): Icons {
  const read = (size: keyof Icons) => {
    try {
      const content = readFileSync(place(paths[size]))
      const isPng = content.subarray(0, 8).equals(pngSignature) && content.length > 24
      if (!isPng || content.readUInt32BE(16) !== size || content.readUInt32BE(20) !== size)
        faults.push(`icons.${size} is not a PNG of ${size} × ${size} pixels`)
      if (content.length > iconBytes) faults.push(`icons.${size} is larger than ${iconBytes} bytes`)
      return content.toString('base64')
    } catch (error) {
      faults.push(`icons.${size} cannot be read (${(error as NodeJS.ErrnoException).code})`)
      return ''
    }
  }
  return { 180: read(180), 192: read(192), 512: read(512) }
}

const iconBytes = 65_536
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

const needed = {
  viewBox: /\sviewBox\s*=/,
  'xmlns="http://www.w3.org/2000/svg"': /\sxmlns="http:\/\/www\.w3\.org\/2000\/svg"/,
}

const refused = {
  'anything but shapes and gradients':
    /<(?!\/|(?:svg|g|defs|title|path|rect|circle|ellipse|line|polyline|polygon|linearGradient|radialGradient|stop|clipPath|mask)[\s>/])/,
  'styles; colours are attributes': /\sstyle\s*=/i,
  'event handlers': /\son\w+\s*=/i,
  'links to anything': /\shref\s*=|:href\s*=|url\(\s*["']?[^#"'\s]/i,
}
