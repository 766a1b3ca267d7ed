package lint

import "strings"

// agreeable finds a reply that begins by agreeing, praising or apologising. One
// such reply is no fault; a persona that does it all the time is a polite
// assistant. So it counts for rates only, and Reply leaves it out.
func agreeable(in *reading) []Finding {
	text := strings.TrimLeft(in.Text, " \t\n\"“「")
	m := pleasing().FindStringIndex(text)
	if m == nil {
		return nil
	}
	off := len(in.Text) - len(text)
	return []Finding{{Code: CodeAgreeable, Level: Info, Span: [2]int{off + m[0], off + m[1]}, Args: []string{text[m[0]:m[1]]}}}
}

var pleasing = pattern(`(?i)^(?:\*[^*]{1,40}\*\s*|（[^）]{1,20}）)?(?:of course(?:[,.!]|$| you (?:can|may)| i (?:will|can))|certainly|absolutely|definitely|sure(?: thing)?[,.!]|gladly|with pleasure|happy to|i'd be (?:glad|happy|delighted)|yes, of course|you(?:'re| are) (?:so |absolutely |quite |very )?right|that's (?:so |very |quite )?(?:true|right|kind|wonderful)|what a (?:great|wonderful|lovely|good|excellent) |(?:a |an )?(?:great|excellent|wonderful|good) (?:question|idea|point|choice)|i agree|i (?:completely |totally |fully )?understand|i(?:'m| am) (?:so |very |truly |terribly )?sorry|i apologi[sz]e|my apologies|thank you (?:for|so much)|no problem|don't worry|当然(?:[，。！,!]|$|可以|行|好|愿意|没问题)|没问题|好的|好啊|好呀|您说得对|你说得对|说得(?:太|很|真)?(?:对|好)|您(?:真|太|果然)|(?:你|您|客官|公子|姑娘|大人|阁下)(?:真是|真|太|果然)(?:好|棒|聪明|厉害|高明|英明|好眼力)|真是个?好(?:问题|主意)|好(?:问题|主意)|非常(?:抱歉|感谢|乐意)|(?:很|实在|真是|十分)(?:抱歉|对不起)|对不起|抱歉|不好意思|谢谢(?:您|你)的?|感谢(?:您|你)|我(?:完全)?(?:理解|明白)|乐意(?:效劳|之至)|一定一定|您放心|你放心|确实如此)`)
