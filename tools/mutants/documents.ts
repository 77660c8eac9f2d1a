import { mutant } from '../mutant.ts'

export const mutants = [
  mutant('R33', 'server/documents/document-signing-calls.ts')
    .change('if (ready.binding !== signing.binding || !signer) {', 'if (!signer) {')
    .failsTest('server/documents/document-signing.test.ts', 'R33 a change of one byte of the document'),
  mutant('R42', 'server/platform/http/guards.ts')
    .change("  if (Number(length) > largest) throw new ApiError('body-too-large')\n", '')
    .failsTest('server/signatures/provider-signatures.test.ts', 'a file whose declared length is too large'),
  mutant('R43', 'server/platform/files/stored-pdfs.ts')
    .change('if (start.compare(first, 0, known, 0, known) !== 0) throw new NotPdfError()', '')
    .failsTest('server/documents/document-exchange.test.ts', 'R43 R45 R48 DOC-8 a file that is not a PDF'),
  mutant('R46', 'server/platform/pdf/pdf-process.ts')
    .change('if (residentMegabytes(pid) > megabytesLimit ||', 'if (residentMegabytes(pid) < 0 ||')
    .failsTest('server/platform/pdf/pdf-work.test.ts', 'R46 a check that takes more memory'),
  mutant('R48', 'server/documents/upload-check.ts')
    .change('forms: knownForms(issued.file)', 'forms: []')
    .failsTest('server/documents/document-exchange.test.ts', 'R48 the check reads the issued document only'),
  mutant('R49', 'server/platform/http/content-disposition.ts')
    .change("name.toWellFormed().replace(/[\\p{Cc}\\p{Cf}/\\\\]/gu, '')", 'name')
    .failsTest('server/platform/http/http.test.ts', 'for every name'),
  mutant('R50', 'server/documents/upload-check.ts')
    .change("if (verdict !== 'clean') return", "if (verdict === 'infected') return")
    .failsTest('server/documents/document-exchange.test.ts', 'R50 malware lets no file in'),
  mutant('R51', 'server/documents/provider-document-store.ts')
    .change(', version = document_cases.version + ${changes}', '')
    .failsTest('server/documents/document-races.test.ts', 'R51 what was checked for one signer'),
  mutant('R52', 'contract/documents.ts')
    .change('  idempotent: true,\n', '')
    .failsTest('server/documents/document-races.test.ts', 'R52 a confirmation that is repeated'),
  mutant('R53', 'server/documents/documents.ts')
    .change(
      "moveDocumentCase(tx, before.id, 'subscriber-uploaded',",
      "moveDocumentCase(portal.db as never, before.id, 'subscriber-uploaded',",
    )
    .failsTest('server/documents/document-races.test.ts', 'R53 a process that is killed'),
  mutant('R54', 'server/platform/files/stored-pdfs.ts')
    .change(
      "if (first) for await (const chunk of chunksOf(first.content)) hash.update(chunk)\n    const second = first && hash.digest('hex') === sha256 ? await documents.read(key) : undefined",
      'hash.update(sha256)\n    const second = first',
    )
    .failsTest('server/documents/document-races.test.ts', 'R54 a stored file of which a bit has turned'),
  mutant('R55', 'server/vouchers/provider-voucher-store.ts')
    .change('\n      and (c.reported_at is null or c.reported_at < ${report.at}::timestamptz)', '')
    .failsTest('server/vouchers/vouchers.test.ts', 'VCH-4 R55 the latest report is kept'),
  mutant('R107', 'server/adapters/choose-adapters.ts')
    .change(
      'return verificationCompared(verificationBuiltIn(pdfWork, trust, revocation), pdfWork)',
      'return verificationBuiltIn(pdfWork, trust, revocation)',
    )
    .failsTest('server/adapters/verification-compared.test.ts', 'R107 a good signature that shows itself over'),
  mutant('R108', 'server/platform/pdf/pdf-confinement.ts')
    .change("process.platform === 'linux' && filterSystemCalls(", "process.platform === 'linux' || filterSystemCalls(")
    .failsTest('server/platform/pdf/pdf-work.test.ts', 'R46 R108 what reads PDFs reaches no network'),
  mutant('DOC-3', 'server/documents/document-case-store.ts')
    .change(' and code_sent_at + make_interval(secs => ${limits.documents.codeResendAfter}) <= portal_now()', '')
    .failsTest('server/documents/document-exchange.test.ts', 'DOC-3 the access code can be sent again'),
  mutant('R44', 'pki/pdf/pdf-filter.ts')
    .change('  if (limits[what] < 0)', '  if (limits[what] < -Infinity)')
    .failsTest('pki/pades/pades-attacks.test.ts', 'objects within one another'),
  mutant('R45', 'pki/pdf/pdf-read.ts')
    .change('if (isEncrypted && !unlock) throw', 'if (encrypted && unlock) throw')
    .failsTest('pki/pdf/pdf-encryption.test.ts', 'an encrypted file says so'),
  mutant('R47', 'pki/pdf/pdf-active-content.ts')
    .change('if (action !== undefined && actions.has(action)', "if (action !== undefined && action === 'JavaScript'")
    .failsTest('pki/pades/pades-attacks.test.ts', 'must not run, open'),
  mutant('R98', 'pki/pdf/pdf-content-difference.ts')
    .change('isSignature && isInForm && isDictionary(pdf.resolve(value))', 'isSignature && (isInForm || value !== pdf)')
    .failsTest('pki/pades/pades-same-content.test.ts', 'what a rewritten file shows decides on it'),
  mutant('R99', 'pki/pdf/pdf-signature-appearance.ts')
    .change('result.covers ||= covers(', 'result.covers &&= covers(')
    .failsTest('pki/pades/pades-appearance.test.ts', 'a signature over content waits'),
  mutant('R100', 'pki/asn1/certificate-path.ts')
    .change('return untilExplicit > 0 || !isEmpty(valid)', 'return true')
    .failsTest('pki/asn1/certificate.test.ts', 'a required certificate policy is missing'),
  mutant('R101', 'pki/pades/pades-signature.ts')
    .change("country?.toUpperCase() === 'PL' && secondCountry === undefined", 'true')
    .failsTest('pki/pades/pades-trust.test.ts', 'eleven digits of'),
  mutant('R102', 'pki/pades/pades-permissions.ts')
    .change('permission !== 2 && permission !== 3', 'permission === undefined')
    .failsTest('pki/pades/pades-form-filling.test.ts', 'a signature after a certification with'),
  mutant('R266', 'pki/pdf/pdf-form-filling.ts')
    .change('.every((key) => setByFilling.has(key))', '.every(() => true)')
    .failsTest('pki/pades/pades-form-filling.test.ts', 'a field that is moved is no filling in'),
  mutant('R266', 'pki/pades/pades-permissions.ts')
    .change('!permitsNothing(pdf, found) && isOpen', '!permitsNothing(pdf, found)')
    .failsTest('pki/pades/pades-form-filling.test.ts', 'a form that is filled in after a lock of this field'),
  mutant('R267', 'pki/pdf/pdf-revision-comparison.ts')
    .change(
      'if (depth === 0 || !isDictionary(was) || !isDictionary(is)) return isSameValue(was, is)',
      'if (!isDictionary(was) || !isDictionary(is)) return isSameValue(was, is)',
    )
    .failsTest('pki/pades/pades-later-changes.test.ts', 'a layer that is copied by the page'),
  mutant('R267', 'pki/pdf/pdf-form-changes.ts')
    .change(
      'explainStream(item.number, isReference(xObjects) ? [xObjects.number] : own)',
      "explainStream(item.number, 'anywhere')",
    )
    .failsTest('pki/pades/pades-later-changes.test.ts', 'a frame that the page shows'),
  mutant('R268', 'pki/pdf/pdf-revision-comparison.ts')
    .change('if (!changed.get(number)?.some(({ data }) => data)) explainStream', 'explainStream')
    .failsTest('pki/pades/pades-structure.test.ts', 'an element that is drawn'),
  mutant('R268', 'pki/pdf/pdf-references.ts')
    .change('if (hasComment(bytes, end - 1, position)) return undefined', '')
    .failsTest('pki/pades/pades-structure.test.ts', 'behind a comment'),
  mutant('R270', 'pki/pdf/pdf-structure-changes.ts')
    .change('(telling.has(key) && !parts.includes(false))', 'parts.length > 0')
    .failsTest('pki/pades/pades-structure.test.ts', 'a text in place of the signature'),
  mutant('R271', 'pki/pdf/pdf-signature-fields.ts')
    .change('line?.every((number) => !shared.has(number)) ?? false', 'line !== undefined')
    .failsTest('pki/pades/pades-form-filling.test.ts', 'is read-only by a list'),
  mutant('R103', 'server/adapters/verification-dss.ts')
    .change("levels.every((level) => level === 'QESig')", 'levels.length > 0')
    .failsTest('server/adapters/verification-dss.test.ts', 'R103 for the level AdESig'),
  mutant('R104', 'pki/asn1/revocation-status.ts')
    .change('scope.distributionPoint && !sharesDistributionPoint(scope.distributionPoint, certificate)', 'false')
    .failsTest('pki/asn1/revocation-status.test.ts', 'a list of another partition'),
  mutant('R105', 'server/documents/document-signed-object.ts')
    .change('fits ? lasting : signed', 'signed')
    .failsTest('server/platform/pdf/long-term.test.ts', 'is fetched over HTTP'),
  mutant('R106', 'server/renewal/archives.ts')
    .change('and (archive_next_try is null or archive_next_try <= portal_now())', 'and true')
    .failsTest('server/renewal/archives.test.ts', 'a node that dies between storing'),
  mutant('DOC-2', 'pki/pdf/pdf-encryption.ts')
    .change('flags !== (claimed | 0)', 'flags === 0')
    .failsTest('pki/pdf/pdf-encryption.test.ts', 'permissions that were changed'),
  mutant('R190', 'pki/trusted-lists/list-signature.ts')
    .change(
      "isWhole: uri === '' && transforms[0] === enveloped",
      "isWhole: root.localName === 'TrustServiceStatusList'",
    )
    .failsTest('pki/trusted-lists/trusted-list.test.ts', 'R190 a valid signature of an element by its Id'),
  mutant('R191', 'server/trusted-lists/trusted-list-store.ts')
    .change('where trusted_lists.sequence_number < excluded.sequence_number', 'where true')
    .failsTest('server/trusted-lists/trusted-lists.test.ts', 'R191 an older list'),
  mutant('R192', 'pki/asn1/certificate-path.ts')
    .change('[at, target.notBefore]', '[at]')
    .failsTest('pki/trusted-lists/trusted-list.test.ts', 'R192 what was issued during a withdrawal'),
  mutant('R192', 'pki/trusted-lists/trust-service.ts')
    .change('.toReversed()', '')
    .failsTest('pki/trusted-lists/trusted-list.test.ts', 'R192 of statuses of one time'),
  mutant('R193', 'pki/trusted-lists/xml.ts')
    .change("if (/<!doctype/i.test(text)) throw new TrustedListError('document-type', 'a document type')", '')
    .failsTest('pki/trusted-lists/trusted-list.test.ts', 'R193 no document type'),
  mutant('R194', 'server/adapters/trusted-lists-http.ts')
    .change('signedObject: { hosts } })', '})')
    .failsTest('server/trusted-lists/trusted-lists.test.ts', 'R194 a redirect is followed'),
  mutant('R181', 'server/platform/http/security-headers.ts')
    .change(`'content-security-policy': "default-src 'none'; frame`, `'content-security-policy': "frame`)
    .failsTest('e2e/file-check.test.ts', 'R181 the script that reads files'),
  mutant('R182', 'server/file-check/file-check.ts')
    .change("'revocation-look-up', networkOf(address)", "'revocation-look-up', crypto.randomUUID()")
    .failsTest('server/file-check/file-check.test.ts', 'R182 the look-ups of one network'),
  mutant('R182', 'server/file-check/file-check.ts')
    .change("-subnet', subnetOf(address)", "-subnet', crypto.randomUUID()")
    .failsTest('server/file-check/file-check.test.ts', 'R182 the look-ups of the networks of one subnet'),
  mutant('R183', 'server/adapters/revocation-judging.ts')
    .change(
      'return pathBy(own) ?? pathBy(everywhere)',
      'return pathBy(own) ?? pathBy(everywhere) ?? [target, ...where.pool]',
    )
    .failsTest('server/file-check/file-check.test.ts', 'R183 a certificate that leads to no'),
  mutant('R184', 'server/file-check/file-check.ts')
    .change("['trusted-authorities', networkOf(address)]", "['trusted-authorities', crypto.randomUUID()]")
    .failsTest('server/file-check/file-check.test.ts', 'R184 the authorities are encoded once'),
  mutant('R184', 'server/file-check/file-check.ts')
    .change('if (known && parts', 'if (known && !parts.length && parts')
    .failsTest('server/file-check/file-check.test.ts', 'R184 the authorities are encoded once'),
  mutant('R200', 'server/platform/http/security-headers.ts')
    .change(`'content-security-policy': "default-src 'none'; frame`, `'content-security-policy': "frame`)
    .failsTest('e2e/file-signing.test.ts', 'R200 the script that signs files'),
  mutant('R201', 'server/file-signing/file-signed-object.ts')
    .change('signedAttributes({ digest, certificate })', 'new Uint8Array(digest)')
    .failsTest('server/file-signing/file-signing.test.ts', 'R201 the service signs only attributes'),
  mutant('R202', 'server/file-signing/file-signed-object.ts')
    .change('!signer || bindingOf(row.accountId, signer, row.digests) !== row.binding', '!signer')
    .failsTest('server/file-signing/file-signing.test.ts', 'R202 a code signs nothing'),
  mutant('R203', 'server/certificates/cloud-certificates.ts')
    .change("m.status = 'active' and ", '')
    .failsTest('server/file-signing/file-signing.test.ts', 'R203 a seal whose access'),
  mutant('R204', 'server/file-signing/file-signing-calls.ts')
    .change("    await limit('too-many-attempts', ['file-signings', owner])\n", '')
    .failsTest('server/file-signing/file-signing.test.ts', 'R204 the number of signings'),
  mutant('R264', 'server/adapters/revocation-judging.ts')
    .change('3 * Math.max(8, chains.length)', '1000')
    .failsTest('server/adapters/revocation-http.test.ts', 'R264 the issuers of one name, of which 24'),
  mutant('R264', 'pki/runtime/public-key.ts')
    .change('modulusBits > 8192 || exponent > 2n ** 32n', 'false')
    .failsTest('server/adapters/revocation-http.test.ts', 'R264 a certificate with a huge key'),
  mutant('R256', 'server/adapters/revocation-http.ts')
    .change('found.find(({ isSince }) => isSince)', 'newestOf(found)')
    .failsTest('server/adapters/revocation-http.test.ts', 'R256 an answer in the file'),
  mutant('R104', 'server/adapters/revocation-http.ts')
    .change('now.getTime() - before.at.getTime() < refetchAfterMs', 'true')
    .failsTest('server/adapters/revocation-http.test.ts', 'R104 a kept list from before the signature'),
  mutant('R105', 'server/adapters/revocation-http.ts')
    .change('before.at >= wholeSeconds(at) && ', '')
    .failsTest('server/adapters/revocation-http.test.ts', 'R104 R105 an answer from just before'),
  mutant('R256', 'server/adapters/revocation-http.ts')
    .change('if (answer) found.push(answer)', 'if (answer) return answer')
    .failsTest('server/adapters/revocation-http.test.ts', 'R256 after an answer from before the signature'),
  mutant('R262', 'pki/asn1/revocation-status.ts')
    .change('issuedAt > notAfter && !(cutoff', 'false && !(cutoff')
    .failsTest('pki/asn1/revocation-status.test.ts', 'R262 what an authority says'),
]
