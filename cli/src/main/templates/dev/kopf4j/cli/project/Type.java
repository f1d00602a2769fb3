package {{package}};

import dev.kopf4j.crd.Condition;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.Schema;
import java.util.List;

/** A custom resource. Its definition is made of this record: `kopf4j crd`. */
@CustomResource(group = "{{apiGroup}}", version = "v1")
public record {{Kind}}({{Kind}}Spec spec, {{Kind}}Status status) {
    /**
     * What is wanted.
     *
     * @param greeting a word for everybody
     */
    public record {{Kind}}Spec(@Schema(defaultValue = "Hello", minLength = 1) String greeting) {}

    /**
     * What is there.
     *
     * @param conditions {@code Ready} tells how its children are
     */
    public record {{Kind}}Status(@Schema(listMapKeys = "type") List<Condition> conditions) {}
}
