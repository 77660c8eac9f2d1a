/** A change to one file that a test must notice: rule (d) of docs/requirements/security.md. */
export type Mutant = {
  /** The requirement that the mutant breaks. */
  row: string
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** The test file, and words of the title, of a test that must fail. */
  test: string
  title: string
}

/** Creates a mutant in the form of a sentence: `mutant(row, file).change(find, replace).failsTest(test, title)`. */
export const mutant = (row: string, file: string) => ({
  change: (find: string, replace: string) => ({
    failsTest: (test: string, title: string): Mutant => ({ row, file, find, replace, test, title }),
  }),
})
