import type { ComponentType } from 'react'
import { listDeskAudit } from '../../contract/desk/desk-audit.ts'
import { searchDesk } from '../../contract/desk/desk-customers.ts'
import { readHealth } from '../../contract/desk/desk-operations.ts'
import { mayCall } from '../../contract/desk/desk-permissions.ts'
import { listProposals } from '../../contract/desk/desk-proposals.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { listDeskTasks } from '../../contract/desk/desk-tasks.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { ApprovalCount } from './approval-count.tsx'

type Section = {
  path: string
  /** Beginning of the addresses of its other screens, unless they are below `path`. */
  pathPrefix?: string
  label: Text
  /** Component that shows the number of waiting items. */
  Count?: ComponentType
  /** Call that decides who sees the section: a person who may make it. */
  endpoint: Pick<Endpoint, 'method' | 'path'>
}

/** Checks whether the session may make this call: by its roles, and for tasks only where the operator has turned them on (DSK-38). */
export const isOpenTo = ({ roles, hasTasks }: DeskSession, endpoint: Pick<Endpoint, 'method' | 'path'>): boolean =>
  mayCall(endpoint, roles) && (hasTasks || endpoint !== listDeskTasks)

/** The parts of the desk in the order of its bar. */
export const deskSections: readonly Section[] = [
  { path: '/', pathPrefix: '/customers/', label: { pl: 'Klienci', en: 'Customers' }, endpoint: searchDesk },
  { path: '/tasks', label: { pl: 'Zadania', en: 'Tasks' }, endpoint: listDeskTasks },
  { path: '/audit', label: { pl: 'Dziennik', en: 'Audit trail' }, endpoint: listDeskAudit },
  {
    path: '/approvals',
    label: { pl: 'Do zatwierdzenia', en: 'Approvals' },
    Count: ApprovalCount,
    endpoint: listProposals,
  },
  { path: '/operations', label: { pl: 'Operacje', en: 'Operations' }, endpoint: readHealth },
]
