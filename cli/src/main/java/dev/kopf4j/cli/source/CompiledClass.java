package dev.kopf4j.cli.source;

/**
 * One class that the compiler has written.
 *
 * @param name its binary name
 * @param source the position of its source file among those of the compilation
 */
record CompiledClass(String name, int source, MemoryClassFile file) {}
