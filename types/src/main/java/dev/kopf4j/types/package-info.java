/**
 * Custom resource definitions of Java types ({@link dev.kopf4j.types.CustomResourceDefinitions}).
 *
 * <p>Definitions are plain maps, lists, texts, numbers and booleans here, as YAML has them. Operators do not need this
 * module: the annotations are in {@code dev.kopf4j.crd}.
 */
package dev.kopf4j.types;
