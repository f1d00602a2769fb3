/**
 * Operators that handle the same objects make way for each other, by records in objects that all of them watch; the
 * records are those of Kopf, so that operators in both languages see each other.
 */
package dev.kopf4j.engine.peering;
