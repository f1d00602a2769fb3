package {{package}};

import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.crd.Schema;

/** A custom resource. Its definition is made of this record: `kopf4j crd`. */
@CustomResource(group = "{{apiGroup}}", version = "v1")
public record {{Kind}}({{Kind}}Spec spec) {
    /**
     * What is wanted.
     *
     * @param greeting a word for everybody
     */
    public record {{Kind}}Spec(@Schema(defaultValue = "Hello", minLength = 1) String greeting) {}
}
