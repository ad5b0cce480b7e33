import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Vitest's own order, but first what drives whole processes: such files take long and are short, so they would come last,
 * and the other cores would wait for them.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isInterop = ({ moduleId }: TestSpecification) => moduleId.includes('/tests/interop/');
    return [...sorted.filter(isInterop), ...sorted.filter((file) => !isInterop(file))];
  }
}
