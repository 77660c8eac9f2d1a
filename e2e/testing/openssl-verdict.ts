import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, testFolder } from '../../pki/testing/peer-programs.ts'

/** What qpdf prints of a PDF: each object by its reference, as `value`, or as `stream` with its data in base64. */
type Value = string | number | boolean | null | Value[] | { [key: string]: Value }
type Objects = Record<string, { value?: Value; stream?: { dict: Value; data: string } }>

/** The parts that make a file B-LT, as qpdf finds them. */
async function takeApart(path: string) {
  const printed = `${path}.json`
  const asked = ['--json=2', '--json-stream-data=inline', '--decode-level=generalized', path, printed]
  const { code, output } = await run('qpdf', asked)
  if (code) throw new Error(output)
  const objects = (JSON.parse(readFileSync(printed, 'utf8')) as { qpdf: [object, Objects] }).qpdf[1]
  const found = (item: Value | undefined): Objects[string] | undefined =>
    typeof item === 'string' && item.endsWith(' R')
      ? objects[`obj:${item}`]
      : item === undefined
        ? item
        : { value: item }
  /** The value at a path of keys, from the trailer on. */
  const at = (...keys: string[]) =>
    keys.reduce<Value | undefined>(
      (value, key) => (found(value)?.value as Record<string, Value> | undefined)?.[key],
      objects['trailer']!.value,
    )
  const streamsAt = (key: string) =>
    ((found(at('/Root', '/DSS', key))?.value ?? []) as Value[]).map((item) =>
      Buffer.from(found(item)!.stream!.data, 'base64'),
    )
  const fields = found(at('/Root', '/AcroForm', '/Fields'))!.value as Value[]
  const field = found(fields.at(-1))!.value as Record<string, Value>
  const signature = found(field['/V'])!.value as Record<string, Value>
  const [start, length, next, rest] = signature['/ByteRange'] as [number, number, number, number]
  const file = readFileSync(path)
  return {
    covered: Buffer.concat([file.subarray(start, start + length), file.subarray(next, next + rest)]),
    // `b:` and the hexadecimal digits.
    message: Buffer.from((signature['/Contents'] as string).slice(2), 'hex'),
    certificates: streamsAt('/Certs'),
    ocsps: streamsAt('/OCSPs'),
    crls: streamsAt('/CRLs'),
  }
}

/** The value of the signature in a CMS message, and the timestamp token over it, at the places that OpenSSL names. */
async function signatureIn(message: Buffer, path: string) {
  const { output } = await run('openssl', ['asn1parse', '-inform', 'DER', '-in', path])
  const lines = Array.from(output.matchAll(/^ *(\d+):d=(\d+) +hl=(\d+) l= *(\d+) (.*)$/gm), ([, ...parts]) => {
    const [at, depth, header, length] = parts.map(Number) as [number, number, number, number]
    return { depth, what: parts[4]!, content: at + header, start: at, end: at + header + length }
  })
  const attribute = lines.findIndex(({ what }) => what.includes('timeStampToken'))
  const unsigned = lines.slice(0, attribute).findLastIndex(({ what }) => what.includes('cont [ 1 ]'))
  const value = lines[unsigned - 1]!
  // The attribute is its name and a set of one token.
  const token = lines[attribute + 2]!
  if (!value.what.includes('OCTET STRING')) throw new Error(value.what)
  return { value: message.subarray(value.content, value.end), token: message.subarray(token.start, token.end) }
}

/**
 * What OpenSSL says of the newest signature of a file, which qpdf takes apart, so that no code of ours has a part in it: the signature and
 * its timestamp, by the root alone; and for each of their certificates the proof in the file that it was good.
 */
export async function opensslVerdict(file: Uint8Array, rootPem: string) {
  const folder = testFolder()
  const put = (name: string, content: Uint8Array | string) => {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }
  const pemOf = async (kind: 'x509' | 'crl', name: string, der: Uint8Array) => {
    const path = join(folder, `${name}.pem`)
    await run('openssl', [kind, '-inform', 'DER', '-in', put(`${name}.der`, der), '-out', path])
    return path
  }
  const joined = (name: string, paths: readonly string[]) => put(name, paths.map((path) => readFileSync(path)).join(''))

  const { covered, message, certificates, ocsps, crls } = await takeApart(put('file.pdf', file))
  const trust = ['-CAfile', put('root.pem', rootPem)]
  const authorities = await Promise.all(certificates.map((der, index) => pemOf('x509', `certificate-${index}`, der)))
  const between = ['-untrusted', joined('between.pem', authorities)]
  const lists = await Promise.all(crls.map((der, index) => pemOf('crl', `list-${index}`, der)))
  const answers = ocsps.map((der, index) => put(`answer-${index}.der`, der))

  const cms = put('message.der', message)
  const signers = ['signature', 'timestamp'].map((name) => join(folder, `${name}.pem`)) as [string, string]
  const content = ['-content', put('covered', covered), '-out', join(folder, 'out')]
  const verifyCms = ['cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', ...trust]
  const signature = await run('openssl', [...verifyCms, '-cades', '-in', cms, '-signer', signers[0], ...content])
  const { value, token } = await signatureIn(message, cms)
  const tokenFile = put('token.der', token)
  const over = ['-data', put('value', value)]
  const timestamp = await run('openssl', [
    'ts',
    '-verify',
    '-token_in',
    '-in',
    tokenFile,
    ...over,
    ...trust,
    ...between,
  ])
  const held = ['-in', tokenFile, '-signer', signers[1], '-out', join(folder, 'out'), '-certfile', between[1]!]
  await run('openssl', [...verifyCms, ...held])

  /** By an OCSP response, or by a revocation list of its issuer. */
  async function isProvenGood(certificate: string) {
    for (const answer of answers)
      for (const issuer of authorities) {
        const about = ['-respin', answer, '-issuer', issuer, '-cert', certificate, '-no_nonce']
        const { output } = await run('openssl', ['ocsp', ...about, ...trust])
        if (output.includes('Response verify OK') && output.includes(`${certificate}: good`)) return true
      }
    if (!lists.length) return false
    const by = ['-crl_check', '-CRLfile', joined('lists.pem', lists), ...trust, ...between]
    return (await run('openssl', ['verify', '-purpose', 'any', ...by, certificate])).code === 0
  }

  const root = await fingerprintOf(trust[1]!)
  const unproven: string[] = []
  const known = new Set([root])
  for (const path of [...signers, ...authorities]) {
    const { fingerprint, subject } = { fingerprint: await fingerprintOf(path), subject: await subjectOf(path) }
    if (known.has(fingerprint)) continue
    known.add(fingerprint)
    if (!(await isProvenGood(path))) unproven.push(subject)
  }
  return { signature: signature.output, timestamp: timestamp.output, certificates: known.size - 1, unproven }
}

const fingerprintOf = async (path: string) =>
  (await run('openssl', `x509 -noout -fingerprint -sha256 -in ${path}`)).output
const subjectOf = async (path: string) => (await run('openssl', `x509 -noout -subject -in ${path}`)).output.trim()
