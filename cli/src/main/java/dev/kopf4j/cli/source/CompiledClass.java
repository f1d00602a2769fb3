package dev.kopf4j.cli.source;

/**
 * The bytes of one class.
 *
 * @param name its binary name
 * @param source the position of its source file among those given to the compiler
 */
record CompiledClass(String name, int source, MemoryClassFile file) {}
