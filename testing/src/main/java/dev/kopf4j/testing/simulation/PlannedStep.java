package dev.kopf4j.testing.simulation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that a seed has planned. Immutable.
 *
 * @param pauseMillis how much time passes before
 * @param what the name of a step of the test, or a fault
 * @param fault true if it is a fault
 * @param number for faults of requests, which request from here is hit; the replica's number counts in, too
 * @param seed of the step's own randomness
 */
record PlannedStep(int pauseMillis, String what, boolean fault, int number, long seed) {
    private static final Pattern TEXT = Pattern.compile("(\\d+)ms (step|fault) '(.*)' (\\d+) #(-?\\d+)");

    /** Reads what {@link #toString} has written. */
    static PlannedStep parse(String text) {
        Matcher found = TEXT.matcher(text.strip());
        if (!found.matches()) {
            throw new IllegalArgumentException("not a step of a simulation, as a failed test prints them: " + text);
        }
        return new PlannedStep(
                Integer.parseInt(found.group(1)),
                found.group(3),
                found.group(2).equals("fault"),
                Integer.parseInt(found.group(4)),
                Long.parseLong(found.group(5)));
    }

    /** The same without a pause. */
    PlannedStep atOnce() {
        return new PlannedStep(0, what, fault, number, seed);
    }

    /** The same for another request, after another pause. */
    PlannedStep at(int request, int millis) {
        return new PlannedStep(millis, what, fault, request, seed);
    }

    @Override
    public String toString() {
        return pauseMillis + "ms " + (fault ? "fault" : "step") + " '" + what + "' " + number + " #" + seed;
    }
}
