import { createWriteStream } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/**
 * Packs a folder as .tar.gz, with `prefix` before every name. The bytes depend on names, contents and execute rights only: sorted, with the owner 0 and one time. gzip by the
 * pinned Node writes neither a name nor a time.
 */
export async function packFolder(
  folder: string,
  file: string,
  { prefix, seconds }: { prefix: string; seconds: number },
): Promise<void> {
  const tar = spawn(
    'tar',
    [
      '--create',
      '--format=posix',
      // No process id and no times of this machine in the extended headers.
      '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
      '--sort=name',
      `--mtime=@${seconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rw,go+r,go-w,a+X',
      '--no-xattrs',
      '--hard-dereference',
      `--transform=flags=rSh;s,^\\.,${prefix},`,
      `--directory=${folder}`,
      '.',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
  )
  const ended = once(tar, 'close')
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
}
