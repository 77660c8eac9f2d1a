import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from './testing/sygnet-command.ts'

const printed = async (...args: string[]) => (await runInProcess(args, {})).out

/** What bash offers after these words, the last of which is being typed. */
async function bashOffers(...words: string[]): Promise<string[]> {
  const script = `${await printed('completion', 'bash')}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sygnet; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'sygnet', ...words], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

test('OPS-18 bash completes commands, their second words, and their options', async () => {
  expect(await bashOffers('')).toEqual(expect.arrayContaining(['customers', 'check', 'completion', 'manual', '--help']))
  expect(await bashOffers('cust')).toEqual(['customers'])
  expect(await bashOffers('customers', 'sh')).toEqual(['show'])
  expect(await bashOffers('customers', 'show', '--u')).toEqual(['--unmasked'])
  expect(await bashOffers('customers', 'show', 'c-1', '--j')).toEqual(['--json'])
  expect(await bashOffers('check', '--m')).toEqual(['--mail'])
  expect(await bashOffers('there-is-no-such-command', '')).toEqual([''])
})

test('OPS-18 zsh gets the same with the loader of bash’s completions, fish its own', async () => {
  const [bash, zsh, fish] = [
    await printed('completion', 'bash'),
    await printed('completion', 'zsh'),
    await printed('completion', 'fish'),
  ]
  expect(zsh).toBe(`#compdef sygnet\nautoload -U +X bashcompinit && bashcompinit\n${bash}`)
  expect(fish).toContain(
    `complete -c sygnet -n '__fish_seen_subcommand_from customers; and __fish_seen_subcommand_from show' -l unmasked -d`,
  )
  expect(fish).toContain(`-l mail -r -d 'send a test mail'`)
  expect(await runInProcess(['completion', 'tcsh'], {})).toEqual({
    code: 2,
    out: '',
    err: 'SHELL is one of bash, zsh, fish.\n',
  })
})

test('OPS-4 output that nobody reads further ends the command quietly, and a full disk with a message', () => {
  const ending = (redirection: string) => {
    const script = `"$1" "$2" completion fish ${redirection}`
    const words = ['-c', script, 'bash', process.execPath, join(import.meta.dirname, 'sygnet.ts')]
    return spawnSync('bash', words, { encoding: 'utf8' })
  }
  expect(ending('| true; exit "${PIPESTATUS[0]}"')).toMatchObject({ status: 1, stdout: '', stderr: '' })
  expect(ending('> /dev/full')).toMatchObject({
    status: 1,
    stderr: 'The output cannot be written: the disk is full.\n',
  })
})

test('OPS-18 the manual page has every command with its options, and no line of text is taken for a macro', async () => {
  const page = await printed('manual')
  const help = await printed('--help')
  const commands = [...help.matchAll(/^ {2}(sygnet [^\n]*?) {2,}/gm)].map(([, line]) => line!)
  expect(commands.length).toBeGreaterThan(30)
  for (const line of commands) expect(page).toContain(`.SS ${line.replaceAll('-', '\\-')}`)
  const macros = new Set(page.match(/^['.]\S*/gm))
  expect([...macros].toSorted()).toEqual(['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP'])
  expect(page).not.toMatch(/^ /m)
})
