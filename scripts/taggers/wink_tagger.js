// Tag by wink-nlp: MODE FILE OUTPUT (see senna_tagger.py). It takes no words: those that it cuts
// otherwise are null.
const fs = require('fs');
const [mode, source, target] = process.argv.slice(2);
const texts = JSON.parse(fs.readFileSync(source, 'utf8'));
const nlp = require('wink-nlp')(require('wink-eng-lite-web-model'), ['sbd', 'pos']);
const its = nlp.its;

function sentences(text) {
  const found = [];
  nlp.readDoc(text).sentences().each(one => found.push(one.tokens().out()));
  return found;
}

function words(given) {
  const tokens = nlp.readDoc(given.join(' ')).tokens();
  const [forms, pos, lemma] = [its.value, its.pos, its.lemma].map(one => tokens.out(one));
  const found = new Map();
  let place = 0;
  forms.forEach((form, i) => {
    found.set(`${place} ${form}`, [null, pos[i], lemma[i], 0, '']);
    place += form.length;
  });
  place = 0;
  return given.map(word => {
    const answer = found.get(`${place} ${word}`);
    place += word.length;
    return answer || null;
  });
}

const lemmas = text => nlp.readDoc(text).tokens().out(its.lemma).length;
const found = texts.map({raw: sentences, words}[mode] || lemmas);
fs.writeFileSync(target, JSON.stringify(found));
