import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = createRequire(import.meta.url).resolve('@20minutes/s3rver')
const script = `
  const S3rver = require(${JSON.stringify(program)})
  const [directory, port] = process.argv.slice(1)
  new S3rver({ address: '127.0.0.1', port: Number(port), directory, silent: true, configureBuckets: [{ name: 'portal' }] })
    .run().then(({ port }) => console.log(port))`

/** A server of the S3 API in a process of its own, with an empty bucket `portal`; it can be stopped and started again. */
export async function startS3() {
  const directory = mkdtempSync(join(tmpdir(), 's3-'))
  let child = start('0')
  let port = await portOf(child)

  function start(wanted: string) {
    return spawn(process.execPath, ['-e', script, directory, wanted], { stdio: ['ignore', 'pipe', 'inherit'] })
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
    secretAccessKey: 'S3RVER',
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
