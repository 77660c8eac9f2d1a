import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { packFolder, type Packing } from './reproducible-tar.ts'
import { sha256Of } from './sums.ts'

/** What Node needs besides itself. */
const libraries = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1'] as const
const architectures: Record<string, string> = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }
/** It owns nothing but the data folder. */
const user = 10_001

export type ImageOptions = {
  /** The unpacked release. */
  tree: string
  platform: string
  version: string
  commit: string
  seconds: number
  /** The options with which Node starts a node of the portal. */
  nodeOptions: readonly string[]
}

/**
 * Writes an image as an OCI layout in a tar file (decision 0120). There is neither a shell nor a package manager in it: the libraries of
 * Node from Debian's signed packages, and the release.
 */
export async function writeImage(file: string, options: ImageOptions): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-image-'))
  try {
    const base = join(folder, 'base')
    const packages = unpackLibraries(base, join(folder, 'packages'), options.platform)
    writeSystemFiles(base)
    const layout = join(folder, 'layout')
    const blobs = join(layout, 'blobs/sha256')
    mkdirSync(blobs, { recursive: true })
    const emptyFolder = join(folder, 'data')
    mkdirSync(emptyFolder)
    const { seconds } = options
    const layers = [
      await layerOf(base, blobs, { prefix: '', seconds }),
      await layerOf(options.tree, blobs, { prefix: 'opt/sygnet', seconds }),
      await layerOf(emptyFolder, blobs, { prefix: 'var/lib/sygnet', seconds, owner: user }),
    ]
    const config = addBlob(blobs, JSON.stringify(configOf(options, layers, packages)))
    const manifest = addBlob(
      blobs,
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
        layers: layers.map(({ digest, size }) => ({
          mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
          digest,
          size,
        })),
      }),
    )
    writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
    const platform = { architecture: architectures[options.platform], os: 'linux' }
    const entry = {
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      ...manifest,
      platform,
      annotations: { 'org.opencontainers.image.ref.name': options.version },
    }
    writeFileSync(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }))
    // The layers are compressed already.
    execFileSync('tar', [
      '--create',
      `--file=${file}`,
      '--format=ustar',
      '--sort=name',
      `--mtime=@${seconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      `--directory=${layout}`,
      'blobs',
      'index.json',
      'oci-layout',
    ])
    return packages
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Downloads the packages with apt, which checks Debian's signature, and takes their shared libraries and licences. Returns their versions. */
function unpackLibraries(base: string, downloads: string, platform: string): string[] {
  const architecture = architectures[platform]
  if (!architecture) throw new Error(`There is no image for ${platform}.`)
  mkdirSync(downloads, { recursive: true })
  execFileSync('apt-get', ['download', '-qq', ...libraries.map((name) => `${name}:${architecture}`)], {
    cwd: downloads,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const unpacked = join(downloads, 'unpacked')
  for (const name of globSync('*.deb', { cwd: downloads }).toSorted())
    execFileSync('dpkg-deb', ['--extract', join(downloads, name), unpacked])
  // The path of the loader, which programs name, and the libraries, wherever this Debian has them.
  const wanted = [
    '{,usr/}lib/*-linux-gnu*/*.so*',
    '{,usr/}lib64/*',
    '{,usr/}lib/ld-linux-*',
    'usr/share/doc/*/copyright',
  ]
  for (const path of globSync(wanted, { cwd: unpacked })) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    cpSync(join(unpacked, path), join(base, path), { recursive: true, verbatimSymlinks: true })
  }
  return globSync('*.deb', { cwd: downloads })
    .map((name) => decodeURIComponent(name.replace(/\.deb$/, '')))
    .toSorted()
}

function writeSystemFiles(base: string) {
  for (const path of ['etc/sygnet', 'opt', 'tmp', 'var/lib']) mkdirSync(join(base, path), { recursive: true })
  writeFileSync(join(base, 'etc/passwd'), `sygnet:x:${user}:${user}::/var/lib/sygnet:/nonexistent\n`)
  writeFileSync(join(base, 'etc/group'), `sygnet:x:${user}:\n`)
}

type Blob = { digest: string; size: number }
type Layer = Blob & { diffId: string }

async function layerOf(folder: string, blobs: string, form: Packing): Promise<Layer> {
  const draft = join(blobs, 'draft')
  await packFolder(folder, draft, form)
  const sha256 = await sha256Of(draft)
  const unpacked = createHash('sha256')
  await pipeline(createReadStream(draft), createGunzip(), unpacked)
  const { size } = statSync(draft)
  renameSync(draft, join(blobs, sha256))
  return { digest: `sha256:${sha256}`, size, diffId: `sha256:${unpacked.digest('hex')}` }
}

function addBlob(blobs: string, text: string): Blob {
  const sha256 = createHash('sha256').update(text).digest('hex')
  const path = join(blobs, sha256)
  if (!existsSync(path)) writeFileSync(path, text)
  return { digest: `sha256:${sha256}`, size: Buffer.byteLength(text) }
}

const node = '/opt/sygnet/bin/node'
const metricsPort = 9464
const alive = `fetch('http://127.0.0.1:${metricsPort}/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`

function configOf(
  { platform, version, commit, seconds, nodeOptions }: ImageOptions,
  layers: readonly Layer[],
  packages: readonly string[],
) {
  const created = new Date(seconds * 1000).toISOString()
  return {
    created,
    architecture: architectures[platform],
    os: 'linux',
    config: {
      User: `${user}:${user}`,
      WorkingDir: '/opt/sygnet',
      Entrypoint: [node, ...nodeOptions, 'server/main.ts'],
      // The container is reached by its own address, and everything else may be read-only.
      Env: [
        'PATH=/opt/sygnet/bin',
        'HOST=0.0.0.0',
        'METRICS_HOST=0.0.0.0',
        `METRICS_PORT=${metricsPort}`,
        'DATA_DIR=/var/lib/sygnet',
        'SYGNET_CONFIG=/etc/sygnet/sygnet.json',
      ],
      ExposedPorts: { '3000/tcp': {}, [`${metricsPort}/tcp`]: {} },
      Volumes: { '/var/lib/sygnet': {} },
      StopSignal: 'SIGTERM',
      // Not in the specification of OCI: Docker and Podman read it, Kubernetes has probes of its own.
      Healthcheck: {
        Test: ['CMD', node, '--eval', alive],
        Interval: 30_000_000_000,
        Timeout: 5_000_000_000,
        StartPeriod: 120_000_000_000,
        Retries: 3,
      },
      Labels: {
        'org.opencontainers.image.title': 'Sygnet',
        'org.opencontainers.image.description':
          'A white-label, bilingual self-service portal for the customers of a trust-service provider',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.revision': commit,
        'org.opencontainers.image.created': created,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        'sygnet.debian-packages': packages.join(' '),
      },
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: ['Debian’s libraries', 'the release', 'the data folder'].map((comment) => ({ created, comment })),
  }
}
