import { randomUUID } from 'node:crypto';
import type { CodeMapping, ImportDetail, ImportRow } from '@caseway/contract/imports';
import { describe, expect, test } from 'vitest';
import { elr, hivScreen, notDetected } from './test-messages.ts';
import { appForUploads, someone } from './test-uploads.ts';

const { signIn, ask, ok, rows, upload, ended, uploaded } = await appForUploads();
const admin = await signIn('admin@demo.caseway.test');
const investigator = await signIn('investigator@demo.caseway.test');

describe('[P18] messages that a reader may not see', () => {
  test('are in no count and in no list', async () => {
    const id = (
      await uploaded(
        elr({ patient: someone(), tests: [{ test: hivScreen, value: notDetected }] }) +
          elr({ patient: someone() }),
        {},
        admin.headers,
      )
    ).id;
    expect((await ended(id, admin.headers)).messages).toBe(2);
    const seen = await ended(id);
    expect(seen).toMatchObject({ messages: 1, taken: 1, effects: { resultsCreated: 1 } });
    const { rowCount } = await ok<{ rowCount: number }>('GET', `/api/web/imports/${id}/messages`);
    expect(rowCount).toBe(1);
    const [hidden] = await rows<{ id: string }>(
      `select id from import_message where import_id = $1 and 'hiv' = any (disease_families)`,
      [id],
    );
    expect((await ask('GET', `/api/web/imports/${id}/messages/${hidden!.id}`)).statusCode).toBe(404);
    const grid = await ok<{ rows: ImportRow[] }>('POST', '/api/web/grid/imports/search', {});
    expect(grid.rows.find((row) => row.id === id)!.messages).toBe(1);
    const { tests } = await ok<{ tests: unknown[] }>('GET', '/api/web/laboratory-tests?words=hiv');
    expect(tests).toEqual([]);
  });

  test('an HIV message that is refused or waits is hidden, whatever else its words could mean', async () => {
    const person = someone({ first: 'Luis', street: '12 East Bay St' });
    const refused = await uploaded(
      elr({ control: '', patient: person, tests: [{ test: 'HIVRAP^HIV 1 and 2 antibody rapid^L' }] }),
    );
    expect(refused).toMatchObject({ messages: 0, refused: 0, reasons: [] });
    const waiting = await uploaded(
      elr({ lab: 'Blot Lab', patient: person, tests: [{ test: 'HIVWB^HIV 1 Western blot^L' }] }),
    );
    expect(waiting).toMatchObject({ messages: 0, waiting: 0, reasons: [] });
    const noted = await uploaded(
      elr({ patient: person, tests: [{ test: 'CTX^In-house chlamydia^L' }], more: ['NTE|1|L|Known HIV'] }),
    );
    expect(noted).toMatchObject({ messages: 0, waiting: 0 });
    const { rows: codes } = await ok<{ rows: CodeMapping[] }>('GET', '/api/web/code-mappings');
    expect(codes.filter(({ sender }) => sender === 'Blot Lab')).toEqual([]);
    const row = await uploaded(
      'Patient ID,Last Name,First Name,Date of Birth,Test Name,Result,Collection Date\n,,,,HIV rapid East clinic,Positive,2026-03-02\n',
      { fileName: 'rows.csv' },
    );
    expect(row).toMatchObject({ messages: 0, refused: 0, reasons: [] });
    expect(
      await rows(
        `select state, disease_families as families from import_message where import_id = any ($1) order by state, index`,
        [[refused.id, waiting.id, row.id]],
      ),
    ).toEqual([
      { state: 'refused', families: ['?', 'hiv'] },
      { state: 'refused', families: ['?', 'hiv'] },
      { state: 'waiting', families: ['?', 'hiv'] },
    ]);
    // The sender learns that something is hidden from them; nobody else does.
    expect([refused.withheld, waiting.withheld, row.withheld]).toEqual([1, 1, 1]);
    expect(
      (await ok<ImportDetail>('GET', `/api/web/imports/${refused.id}`, undefined, investigator.headers))
        .withheld,
    ).toBe(0);
    const odd = { test: hivScreen.replace(/^[^^]*/, 'ODD-HIV').replace(/LN$/, 'L') };
    const tried = await uploaded(elr({ patient: person, tests: [{ test: hivScreen }, odd] }), {
      dryRun: 'true',
    });
    expect(tried).toMatchObject({ messages: 0, preview: [], codes: { rows: [], more: 0 }, withheld: 1 });
    // Everyone who may see the family sees them.
    expect(await ended(refused.id, admin.headers)).toMatchObject({ refused: 1, withheld: 0 });
  });

  test('a guessed family shows unparsed parts only to the person who sent them', async () => {
    const guessed = elr({ control: '', patient: someone(), tests: [{ test: 'CTX^In-house chlamydia^L' }] });
    expect((await uploaded(guessed)).refused).toBe(1);
    const admins = await uploaded(guessed.replace('In-house', 'Own'), {}, admin.headers);
    expect(admins.refused).toBe(1);
    // Its name and size would reveal its existence. [P24]
    expect((await ask('GET', `/api/web/imports/${admins.id}`)).statusCode).toBe(404);
  });

  test('an answer about HIV, and HIV tests that the catalog does not know, hide their messages', async () => {
    const about = [
      { tests: [{}], more: ['OBX|2|CWE|55277-8^HIV status^LN||260373001^Detected^SCT||||||F'] },
      {
        tests: [{}],
        more: ['OBX|2|CWE|55277-8^HIV status^LN||260373001^Detected^SCT||||||F||||||||||||||||||QST'],
      },
      { tests: [{ test: '99999-5^HIV 1 new marker^LN' }] },
    ];
    for (const given of about) {
      const done = await uploaded(elr({ patient: someone(), ...given }));
      expect(done.messages).toBe(0);
      const [stored] = await rows('select state, disease_families from import_message where import_id = $1', [
        done.id,
      ]);
      // Unclassified codes wait.
      expect([stored!.state, stored!.disease_families]).toEqual([
        'more' in given ? 'taken' : 'waiting',
        expect.arrayContaining(['hiv']),
      ]);
    }
    expect(await rows(`select kind, disease_family from code_mapping where code = '99999-5'`)).toEqual([
      { kind: 'test', disease_family: 'hiv' },
    ]);
  });

  test('a message without a known family is shown to the person who sent it', async () => {
    const unreadable = `MSH|^~\\&|LIS|Odd Lab|||20260301||ORU^R01|${randomUUID()}|P|2.5.1\rOBX|1|ST|ZZZ||?\r`;
    const mine = await uploaded(unreadable);
    expect(mine.refused).toBe(1);
    const theirs = await uploaded(unreadable.replace('Odd', 'Other'), {}, admin.headers);
    expect(theirs.messages).toBe(1);
    const admins = await upload(unreadable.replace('Odd', 'Third'), {}, admin.headers);
    await ended(admins.id, admin.headers);
    // Its name and size would reveal its existence. [P24]
    expect((await ask('GET', `/api/web/imports/${admins.id}`)).statusCode).toBe(404);
  });
});
