import { Verbatim } from '../ui/verbatim.tsx'

/** Which signature or seal: its product, and the name in its certificate. */
export const CertificateName = ({ product, name }: { product: string; name: string }) => (
  <>
    {product}, <Verbatim>{name}</Verbatim>
  </>
)
