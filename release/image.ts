import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { architectures, user } from './image-base.ts'
import { packFolder, type Packing } from './reproducible-tar.ts'
import { sha256Of } from './sums.ts'

/** Where the image has it. */
export const node = '/opt/sygnet/bin/node'

export type ImageOptions = {
  /** The unpacked release. */
  tree: string
  /** A file system with what Node needs besides itself, and the names of the packages that it is from. */
  base: string
  packages: readonly string[]
  platform: string
  version: string
  commit: string
  seconds: number
  /** The options with which Node starts a node of the portal. */
  nodeOptions: readonly string[]
}

/**
 * Writes an image as an OCI layout in a tar file (decision 0113): a base, the release, and the data folder. There is neither a shell nor
 * a package manager in it.
 */
export async function writeImage(file: string, options: ImageOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-image-'))
  try {
    const layout = join(folder, 'layout')
    const blobs = join(layout, 'blobs/sha256')
    mkdirSync(blobs, { recursive: true })
    const dataFolder = join(folder, 'data')
    // A volume for a folder that the image has gets its owner.
    mkdirSync(join(dataFolder, 'documents'), { recursive: true })
    const { seconds } = options
    const layers = [
      await layerOf(options.base, blobs, { prefix: '', seconds }),
      await layerOf(options.tree, blobs, { prefix: 'opt/sygnet', seconds }),
      await layerOf(dataFolder, blobs, { prefix: 'var/lib/sygnet', seconds, owner: user }),
    ]
    const config = addBlob(blobs, JSON.stringify(configOf(options, layers)))
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
      annotations: { 'org.opencontainers.image.ref.name': imageName(options.version) },
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
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Whole, because Podman takes it as the name of the image. */
export const imageName = (version: string): string => `localhost/sygnet:${version}`

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

const metricsPort = 9464
/** Whether a node of the portal answers, without a program besides Node. */
export const healthCommand = [
  node,
  '--eval',
  `fetch('http://127.0.0.1:${metricsPort}/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))`,
]

function configOf(
  { platform, version, commit, seconds, nodeOptions, packages }: ImageOptions,
  layers: readonly Layer[],
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
      // Not in the specification of OCI: Docker reads it; Podman does not, so compose.yaml has it again. Kubernetes has probes of its own.
      Healthcheck: {
        Test: ['CMD', ...healthCommand],
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
