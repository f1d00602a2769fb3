package dev.kopf4j.testing.environment;

import dev.kopf4j.testing.recording.ObjectStates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells what an operator does not know yet of the objects on the cluster. Pure. */
final class UnseenObjects {
    private UnseenObjects() {}

    /**
     * A line for each object whose state the operator has not seen.
     *
     * @param listed what is on the cluster
     * @param objects what the operator has seen; guarded by the caller
     */
    static List<String> of(Map<ClusterView.Key, VersionedObject> listed, ObjectStates objects) {
        Stream<String> outdated = listed.entrySet().stream()
                .filter(each -> !objects.hasSeen(
                        each.getKey().resource(),
                        each.getValue().reference(),
                        Optional.of(each.getValue().version())))
                .map(each -> each.getValue().reference().describe() + " is on the cluster in version "
                        + each.getValue().version() + ", which the operator has not seen");
        Stream<String> vanished = objects.watched().stream()
                .flatMap(each -> objects.existing(each.resource()).stream()
                        .filter(known -> !listed.containsKey(new ClusterView.Key(each.resource(), known.uid()))))
                .map(known -> known.describe() + " is not on the cluster any more, which the operator has not seen")
                .distinct();
        return Stream.concat(outdated, vanished).toList();
    }
}
