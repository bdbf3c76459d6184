import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { ChunkLoadError, type loadChunk } from '../../loading/chunk.ts';
import { startTestLocales } from '../../test/locales.ts';
import { renderInApp } from '../../test/render.tsx';
import { CountyMap } from './CountyMap.tsx';
import { classesOf } from './classes.ts';
import { PaperContext, picturePaper } from './paper.ts';

const load = vi.hoisted(() => vi.fn<typeof loadChunk>());
vi.mock('../../loading/chunk.ts', async (original) => ({
  ...(await original<typeof import('../../loading/chunk.ts')>()),
  loadChunk: load,
}));
await startTestLocales('charts');

const whole = (value: number) => String(Math.round(value));
const bounds = (values: readonly number[]) =>
  classesOf(values, whole).map(({ from, to }) => [whole(from), whole(to)]);

describe("a map's classes", () => {
  it('are five with about as many counties each, named by their least and greatest value', () =>
    expect(bounds([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
      ['9', '10'],
    ]));
  it('are five in addition to the zeros, however many counties are at zero', () =>
    expect(bounds([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 8])).toEqual([
      ['0', '0'],
      ['4', '4'],
      ['5', '5'],
      ['6', '6'],
      ['7', '7'],
      ['8', '8'],
    ]));
  it('are five even if most counties have the same value', () =>
    // Of 16 counties, ten are at 3; those on either side are divided.
    expect(bounds([1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 5, 6, 7])).toEqual([
      ['1', '2'],
      ['3', '3'],
      ['4', '4'],
      ['5', '6'],
      ['7', '7'],
    ]));
  it('keep values with the same text in one class, so that classes do not overlap', () =>
    expect(bounds([1, 1.6, 2.4, 2.6])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]));
  it('are fewer if values repeat', () =>
    expect(bounds([0, 0, 0, 0, 0, 5])).toEqual([
      ['0', '0'],
      ['5', '5'],
    ]));
  it('are empty without values', () => expect(bounds([])).toEqual([]));
});

describe('county shapes', () => {
  /** One square county. */
  const shapes = {
    default: {
      type: 'Topology',
      arcs: [
        [
          [-82, 28],
          [-81, 28],
          [-81, 29],
          [-82, 29],
          [-82, 28],
        ],
      ],
      objects: {
        counties: {
          type: 'GeometryCollection',
          geometries: [{ type: 'Polygon', id: '12057', arcs: [[0]], properties: { name: 'Hillsborough' } }],
        },
      },
    },
  };

  it('[S2.3] load like every part of the program, and are requested again after a failure', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    load.mockRejectedValue(new ChunkLoadError('Loading chunk county-shapes failed.'));
    const { container } = renderInApp(
      <PaperContext value={picturePaper}>
        <CountyMap
          label="Tests by county"
          states={['12']}
          counties={[{ key: '12057', value: 3, valueText: '3', text: 'Hillsborough: 3' }]}
          format={whole}
          noDataText={(county) => county}
        />
      </PaperContext>,
    );
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByRole('alert')).toHaveTextContent('The map could not be loaded.');
    load.mockResolvedValue(shapes);
    await userEvent.click(retry);
    expect(await screen.findByRole('listbox', { name: 'Tests by county' })).toBeInTheDocument();
    await waitFor(() =>
      expect(container.querySelectorAll('[data-chart=drawing] > path[d^="M"]')).toHaveLength(1),
    );
    expect(load.mock.calls.map(([name]) => name)).toEqual(['county-shapes', 'county-shapes']);
  });

  it('of an unstable rate are in no class, and the legend says so', async () => {
    load.mockResolvedValue(shapes);
    const county = (key: string, value: number) => ({ key, value, valueText: '', text: '' });
    renderInApp(
      <CountyMap
        label="Cases by county"
        states={['12']}
        counties={[{ ...county('12057', 90), unstable: true }, county('12001', 3)]}
        format={whole}
        noDataText={(name) => name}
      />,
    );
    expect(
      await screen.findByText('Unstable: fewer than 16 events, or a share of fewer than 16'),
    ).toBeInTheDocument();
    expect(screen.getByText('3')).toBeInTheDocument();
    expect(screen.queryByText('90')).not.toBeInTheDocument();
  });
});
