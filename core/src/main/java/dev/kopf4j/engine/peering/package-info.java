/**
 * Operators that handle the same objects make way for each other, by records in objects that all of them watch; the
 * records are those of Kopf, so that operators in both languages see each other.
 *
 * <p>{@code OperatorPeerings} takes part in Kopf's peering objects; the {@code PeeringMembership} of each gives signs
 * of life, decides who goes first, and makes it a reason not to act ({@link dev.kopf4j.engine.pausing.PauseReasons}).
 */
package dev.kopf4j.engine.peering;
