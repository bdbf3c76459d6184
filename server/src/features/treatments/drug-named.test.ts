import { describe, expect, test } from 'vitest';
import { drugNamed } from './drug-named.ts';

describe('the medicine in a text', () => {
  test.each([
    ['Benzathine penicillin G 2.4 million units IM once', 'benzathine-penicillin-once'],
    ['Bicillin L-A 2.4 MU IM x1', 'benzathine-penicillin-once'],
    ['Penicilina G benzatínica 2,400,000 UI IM', 'benzathine-penicillin-once'],
    ['Bicillin L-A 2.4 MU IM x3', 'benzathine-penicillin-three-weekly'],
    ['Benzathine penicillin 7.2 MU', 'benzathine-penicillin-three-weekly'],
    ['Aqueous penicillin G 24 MU/day IV 14 days', 'aqueous-penicillin-iv'],
    ['Procaine penicillin 2.4 MU + probenecid 500 mg, 14 days', 'procaine-penicillin-probenecid'],
    ['Doxycycline 100 mg PO BID x 7 days', 'doxycycline-7-days'],
    ['doxy 100mg bid 14d', 'doxycycline-14-days'],
    ['Doxiciclina 100 mg 28 días', 'doxycycline-28-days'],
    ['Ceftriaxone 500 mg IM', 'ceftriaxone-500-once'],
    ['Rocephin 0.25 g IM single dose', 'ceftriaxone-250-once'],
    ['CEFTRIAXONE 1 G IV 10 days', 'ceftriaxone-1-gram'],
    ['Cefixima 800 mg dosis única', 'cefixime-800-once'],
    ['Gentamicin 240 mg IM + azithromycin 2 g PO', 'gentamicin-azithromycin-once'],
    ['Azithromycine 1 g', 'azithromycin-1-gram-once'],
    ['Azithromycin 1 g then 500 mg daily, 4 days', 'azithromycin-4-days'],
    ['Metronidazole 2g once', 'metronidazole-2-grams-once'],
    ['Metronidazol 500 mg BID 7 dias', 'metronidazole-7-days'],
    ['Valacyclovir 1 g BID 10 days', 'valacyclovir-7-to-10-days'],
    ['Acyclovir 400 mg TID 7 days', 'acyclovir-7-to-10-days'],
    ['doxycycline-7-days', 'doxycycline-7-days'],
  ])('%s', (text, drug) => {
    expect(drugNamed(text)).toBe(drug);
  });

  test.each([
    'Doxycycline',
    'Doxycycline 100 mg 10 days',
    'Ceftriaxone',
    'Ceftriaxone 500 mg IM, 5 days',
    'Ceftriaxone 500 mg IM + doxycycline 100 mg 7 days',
    'Azithromycin 500 mg',
    'Benzathine penicillin 1.2 MU',
    'Penicillin',
    'Erythromycin 500 mg 7 days',
    'other',
    '',
  ])('“%s” names none of those listed, and none is guessed', (text) => {
    expect(drugNamed(text)).toBeUndefined();
  });
});
