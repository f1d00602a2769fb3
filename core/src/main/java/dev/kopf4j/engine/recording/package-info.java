/**
 * The recorder: what an operator has done in the last minutes or days, for people who ask afterwards.
 *
 * <p>{@link dev.kopf4j.engine.recording.Recorder} hears of each step as an {@code OperatorTrace}. A step becomes one
 * line of JSON ({@code RecordedSteps} says what of it), and the line a place in a ring in memory ({@code LineRing}).
 * Whoever wants the lines has a position in the ring, and waits there for more: {@code kopf4j history} with its
 * {@code --follow}, any other view. Who is too slow misses lines, and is told how many; nobody holds up the operator.
 * The lines are the only format: in memory, in files, over HTTP, in the reports of simulated tests;
 * {@link dev.kopf4j.engine.recording.TimeLine} makes words of them.
 */
package dev.kopf4j.engine.recording;
