import { identifierKinds } from '@caseway/contract/codes';
import { screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test } from 'vitest';
import { startTestLocales } from '../test/locales.ts';
import { renderInApp } from '../test/render.tsx';
import { serve } from '../test/server.ts';
import { ContactLinks } from '../ui/ContactLink.tsx';
import { useIdentifiers } from './use-identifiers.ts';

await startTestLocales();
afterEach(() => i18next.changeLanguage('en'));

const given = [
  { kind: 'MR', assigner: '2.16.840.1.113883.3.72.5.30.2', value: '12346' },
  { kind: 'MR', assigner: '2.16.840.1.113883.3.72.5.30.9', value: '12346' },
  { kind: 'MR', assigner: 'harbor clinic', value: 'M4277574' },
  { kind: 'ZZ', assigner: '', value: '7' },
];

function Said({ identifiers }: { identifiers: typeof given }) {
  const said = useIdentifiers();
  return said(identifiers).map(({ kind, text }) => <p key={kind + text}>{`${kind}: ${text}`}</p>);
}
const lines = () => screen.getAllByRole('paragraph').map(({ textContent }) => textContent);

test.each([
  [
    'en',
    [
      'Medical record number: 12346',
      'Medical record number: M4277574, from Harbor Clinic',
      'Other number: 7',
    ],
  ],
  [
    'es',
    [
      'Número de expediente médico: 12346',
      'Número de expediente médico: M4277574, de Harbor Clinic',
      'Otro número: 7',
    ],
  ],
  [
    'ht',
    [
      'Nimewo dosye medikal: 12346',
      'Nimewo dosye medikal: M4277574, Harbor Clinic ki bay li',
      'Lòt nimewo: 7',
    ],
  ],
])(
  '[S1.4] identifiers have labels in %s, with their issuer, without OIDs or repetition',
  async (language, expected) => {
    await i18next.changeLanguage(language);
    serve({
      'GET /api/web/list/options/facilities': { body: { options: [{ id: 'f1', label: 'Harbor Clinic' }] } },
    });
    renderInApp(<Said identifiers={given} />);
    await waitFor(() => expect(lines()).toEqual(expected));
  },
);

test.each(['en', 'es', 'ht'])('every kind of identifier has a text in %s', async (language) => {
  await i18next.changeLanguage(language);
  serve({ 'GET /api/web/list/options/facilities': { body: { options: [] } } });
  renderInApp(<Said identifiers={identifierKinds.map((kind) => ({ kind, assigner: '', value: '1' }))} />);
  expect(new Set(lines()).size).toBe(identifierKinds.length);
  for (const line of lines()) expect(line).not.toMatch(/identifier|^[A-Z]{2,3}:/);
});

test('a number is a tel: link and an address a mailto: link', () => {
  renderInApp(
    <>
      <ContactLinks kind="phone" values={['+19415550155', '+14045550188 x12']} />
      <ContactLinks kind="email" values={['ana@example.org']} />
    </>,
  );
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['(941) 555-0155', 'tel:+19415550155'],
    ['(404) 555-0188 x12', 'tel:+14045550188'],
    ['ana@example.org', 'mailto:ana@example.org'],
  ]);
});
