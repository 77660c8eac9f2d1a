import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { resolve } = createRequire(import.meta.url)
const script = `
  const S3rver = require(${JSON.stringify(resolve('@20minutes/s3rver'))})
  const { DUMMY_ACCOUNT } = require(${JSON.stringify(resolve('@20minutes/s3rver/lib/models/account'))})
  const [directory, port, secret] = process.argv.slice(1)
  DUMMY_ACCOUNT.createKeyPair('S3RVER', secret)
  new S3rver({ address: '127.0.0.1', port: Number(port), directory, silent: true, configureBuckets: [{ name: 'portal' }] })
    .run().then(({ port }) => console.log(port))`

/** Starts a server of the S3 API in its own process, with an empty bucket `portal`; it can be stopped and started again. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 's3-'))
  // In production a shorter secret is refused.
  const secretAccessKey = randomBytes(16).toString('hex')
  let child = start('0')
  let port = await portOf(child)

  function start(wanted: string) {
    return spawn(process.execPath, ['-e', script, directory, wanted, secretAccessKey], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
  async function portOf({ stdout }: typeof child) {
    const [line] = (await once(stdout.setEncoding('utf8'), 'data')) as [string]
    return line.trim()
  }
  async function stop() {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  return {
    url: () => `http://127.0.0.1:${port}/portal`,
    // S3rver knows one customer.
    accessKeyId: 'S3RVER',
    secretAccessKey,
    region: 'us-east-1',
    stop,
    async restart() {
      child = start(port)
      port = await portOf(child)
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
