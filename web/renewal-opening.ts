import { useNavigate } from 'react-router'
import { pages } from '../contract/pages.ts'
import { listOpenRenewals, openRenewal, readRenewal } from '../contract/renewal.ts'
import { call } from './api.ts'
import { forget, learn } from './reads.ts'

/** Where a renewal is done. */
export const renewalPath = (uid: string) => pages.renewal.path.replace(':uid', uid)

/** Begins the renewal that a code is for, or finds it again, and goes there. Throws CallFailed. */
export function useOpenRenewal() {
  const navigate = useNavigate()
  return async (code: string) => {
    const renewal = await call(openRenewal, { body: { code } })
    const { uid } = renewal
    await learn(readRenewal, { params: { uid } }, renewal)
    void forget(listOpenRenewals)
    await navigate(renewalPath(uid))
  }
}
