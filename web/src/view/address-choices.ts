import { useSearchParams } from 'react-router';

type Choices = Readonly<Record<string, readonly string[] | null>>;
type Chosen<C extends Choices> = {
  [Name in keyof C]: C[Name] extends readonly (infer Option extends string)[] ? Option : string | null;
};

/**
 * What is chosen on a screen with neither a list's view nor a dashboard's, in its address; nothing that was typed. The
 * first option of a choice is its default, which an address leaves out and an unknown one means. `null` takes any text,
 * like an id. Every change leads to the first page.
 */
export function useAddressChoices<const C extends Choices>(choices: C) {
  const [address, setAddress] = useSearchParams();
  const change = (next: Readonly<Record<string, string | null | undefined>>) =>
    setAddress(
      (now) => {
        const changed = new URLSearchParams(now);
        changed.delete('page');
        for (const [name, value] of Object.entries(next))
          if (value == null || value === choices[name]?.[0]) changed.delete(name);
          else changed.set(name, value);
        return changed;
      },
      { replace: true, preventScrollReset: true },
    );
  const page = Number(address.get('page') ?? 1);
  return {
    chosen: Object.fromEntries(
      Object.entries(choices).map(([name, options]) => {
        const value = address.get(name);
        return [name, options ? (options.find((one) => one === value) ?? options[0]) : value];
      }),
    ) as Chosen<C>,
    choose: (next: Partial<Chosen<C>>) => change(next),
    /** From 0; the address counts from 1. */
    page: Number.isSafeInteger(page) && page > 0 ? page - 1 : 0,
    setPage: (next: number) => change({ page: next === 0 ? null : String(next + 1) }),
  };
}
