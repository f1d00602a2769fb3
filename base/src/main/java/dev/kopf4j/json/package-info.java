/**
 * JSON as the framework uses it: reading and writing, field paths, equality, differences, merge patches and JSON
 * patches.
 *
 * <p>Everything here is a pure function of its arguments. Trees are Jackson's mutable nodes; a function changes only
 * the argument whose Javadoc says so. The package knows nothing of Kubernetes; every layer above uses it.
 *
 * <p>How a type is read is also a question of what its compiler has written: {@code CompiledClass} reads class files,
 * and nothing else here reads anything.
 *
 * <p>The package has more than twenty classes because half of them are helpers that nobody else is to see: in packages
 * of their own they would be public.
 *
 * <p>{@code json} works on Jackson trees: field paths, equality by value (1 equals 1.0, null equals absent), Kopf's
 * diff, merge and JSON patches. Pure.
 */
package dev.kopf4j.json;
