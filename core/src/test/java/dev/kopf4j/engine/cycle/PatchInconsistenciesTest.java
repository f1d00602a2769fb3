package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cycle.PatchSender.PatchInconsistencies;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What of a patch is told to be missing in the answer. Tests {@link PatchInconsistencies}. */
class PatchInconsistenciesTest {
    private static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of(), Set.of()),
            Set.of(),
            true,
            true,
            Set.of());

    @ParameterizedTest(name = "{0} answered by {1}: {2}")
    @Tag("D31")
    @CsvSource(delimiter = '|', textBlock = """
                    {'spec':{'a':1}}                   | {'spec':{'a':1}}                      |
                    {'spec':{'a':1}}                   | {'spec':{'a':1,'b':2},'status':{}}    |
                    {'spec':{'a':1}}                   | {'spec':{'a':2}}                      | spec a
                    {'spec':{'a':1}}                   | {}                                    | spec
                    {'spec':{'a':{}}}                  | {'spec':{}}                           | spec a
                    {'spec':{'a':null}}                | {'spec':{}}                           |
                    {'metadata':{'labels':{}}}         | {'metadata':{}}                       |
                    {'metadata':{'annotations':{}}}    | {'metadata':{}}                       |
                    {'metadata':{'finalizers':[]}}     | {'metadata':{}}                       |
                    {'metadata':{'annotations':{'a':null}}} | {'metadata':{}}                  |
                    {'metadata':{'labels':{'a':null,'b':'c'}}} | {'metadata':{}}               | metadata labels
                    {'metadata':{'finalizers':null}}   | {'metadata':{'finalizers':[]}}        |
                    {'metadata':{'finalizers':[]}}     | {'metadata':{'finalizers':['theirs']}} | metadata finalizers
                    {'metadata':{'labels':{'a':'b'}}}  | {'metadata':{}}                       | metadata labels
                    {'metadata':{'labels':{'a':''}}}   | {'metadata':{'labels':{}}}            | metadata labels a
                    """)
    void whatDiffersIsToldUnlessAStanzaOfMetadataIsMerelyEmpty(String wanted, String answered, String field) {
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            ObjectReference reference = ObjectReference.of(Scenario.example());
            new PatchInconsistencies()
                    .report(
                            new ResourceObject(
                                    KEX,
                                    reference,
                                    new BodyView(Scenario.example()),
                                    new ObjectLogger(reference),
                                    () -> "memo"),
                            merging(Scenario.json(wanted)),
                            Scenario.json(answered));
            if (field == null) {
                assertThat(log.lines(Level.WARN)).isEmpty();
            } else {
                assertThat(log.lines(Level.WARN))
                        .singleElement()
                        .asString()
                        .contains(field.replace(" ", ".") + " was set to ")
                        .contains("the schema of " + KEX);
            }
        }
    }

    private static PatchContent merging(ObjectNode fragment) {
        PatchContent content = new PatchContent();
        content.merge().setAll(fragment);
        return content;
    }
}
