import { expect, test } from 'vitest'
import { contractPdf, seal, signPdf, stampDocument, transform } from '../testing/pades-authorities.ts'
import { outcomeOf } from '../testing/pades-outcome.ts'

const certified = (parameters: string) =>
  signPdf(contractPdf(), { by: seal, field: 'Pieczęć', ...transform('DocMDP', parameters) })

test.each([['/P 1'], ['/P 0'], ['/P 4'], ['/P/None'], ['/P(2)']])(
  'R102 a signature after a certification with %s is refused',
  async (parameters) => {
    const issued = certified(parameters)
    expect(await outcomeOf(signPdf(issued), issued)).toMatchObject({
      verdict: 'refused',
      codes: ['changed-after-signing'],
    })
  },
)

test.each([['/P 2'], ['/P 3'], ['']])(
  'R102 a signature after a certification with "%s" is accepted',
  async (parameters) => {
    const issued = certified(parameters)
    expect(await outcomeOf(signPdf(issued), issued)).toMatchObject({ verdict: 'accepted', codes: [] })
  },
)

test('R102 a certification with P=1 permits a document timestamp, and its own signature', async () => {
  const file = stampDocument(signPdf(contractPdf(), transform('DocMDP', '/P 1')))
  expect(await outcomeOf(file, contractPdf())).toMatchObject({ verdict: 'accepted', codes: [] })
})

test('R102 a signed field whose lock says P=1 permits no later signature', async () => {
  const issued = signPdf(contractPdf(), { by: seal, field: 'Pieczęć', replaced: ['/Type /Annot ', '/Lock<</P 1>>'] })
  expect(await outcomeOf(signPdf(issued), issued)).toMatchObject({
    verdict: 'refused',
    codes: ['changed-after-signing'],
  })
})
