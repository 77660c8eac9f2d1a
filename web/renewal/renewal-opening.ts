import { useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { listOpenRenewals, openRenewal, readRenewal } from '../../contract/renewal.ts'
import { call } from '../calls/api.ts'
import { invalidate, setCached } from '../calls/reads.ts'

export const renewalPath = (uid: string) => pages.renewal.path.replace(':uid', uid)

/** Opens the renewal of a code, or finds the existing one, and goes there. Throws ApiError. */
export function useOpenRenewal() {
  const navigate = useNavigate()
  return async (code: string) => {
    const renewal = await call(openRenewal, { body: { code } })
    const { uid } = renewal
    await setCached(readRenewal, { params: { uid } }, renewal)
    void invalidate(listOpenRenewals)
    await navigate(renewalPath(uid))
  }
}
