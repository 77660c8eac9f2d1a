import { parentPort, workerData } from 'node:worker_threads'
import { readTrustedList, type ExpectedList } from '../../pki/trusted-lists/trusted-list.ts'
import { TrustedListError } from '../../pki/trusted-lists/xml.ts'
import { closeHttpClients } from '../platform/http-clients.ts'
import type { ListReading } from './list-reading.ts'

closeHttpClients()

const { bytes, expected } = workerData as { bytes: Uint8Array; expected: ExpectedList }

function read(): ListReading {
  try {
    return { list: readTrustedList(bytes, expected) }
  } catch (error) {
    if (error instanceof TrustedListError) return { problem: error.code, detail: error.message }
    // For example too deeply nested.
    return { problem: 'not-xml', detail: error instanceof Error ? error.name : 'unknown' }
  }
}

parentPort?.postMessage(read())
