/**
 * How much memory the service may take for its heap. Left alone, V8 lets a heap grow with the machine's memory (300 MB of residents after 10,000 payments on 24 GB); held to this it stays below 200 MB and is
 * no slower. Both are V8's own options, in MB; whoever serves very many merchants raises the first.
 */
export const memoryFlags = ['--max-old-space-size=384', '--max-semi-space-size=8']
