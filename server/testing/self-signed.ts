import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate of this machine that nobody trusts, which is its own issuer. `file`: for NODE_EXTRA_CA_CERTS. */
export function makeSelfSigned(folder: string) {
  const file = join(folder, 'self-signed.pem')
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost
    -addext subjectAltName=IP:127.0.0.1 -keyout self-signed.key -out self-signed.pem`
  const made = spawnSync('openssl', request.split(/\s+/), { cwd: folder })
  if (made.status !== 0) throw new Error(String(made.stderr))
  return { file, cert: readFileSync(file, 'utf8'), key: readFileSync(join(folder, 'self-signed.key'), 'utf8') }
}
